// Prices in the visitor's language and region.

const amount = String.raw`(\d+(?:[.,]\d{1,2})?)`;
const currency = String.raw`([A-Z]{3}|[€£])`;
const priced = new RegExp(`^(?:${amount}\\s*${currency}|${currency}\\s*${amount})$`);
const formats = new Map(); // by language and currency

/**
 * Writes a number with a currency, such as "1504.90 EUR" or "£3,50", in the language and the region of the visitor. Any
 * other text is returned unchanged, such as "$5", which can mean many dollars, or "1,504 €".
 */
export function money(text, tag) {
  const [, before, after, sign, number] = priced.exec(text) ?? [];
  const code = { "€": "EUR", "£": "GBP" }[after ?? sign] ?? after ?? sign;
  if (!Intl.supportedValuesOf("currency").includes(code)) {
    return text;
  }
  const locale = globalThis.navigator?.languages?.find((language) => language.split("-")[0] === tag) ?? tag;
  const key = `${locale} ${code}`;
  if (!formats.has(key)) {
    formats.set(key, new Intl.NumberFormat(locale, { style: "currency", currency: code }));
  }
  return formats.get(key).format(Number((before ?? number).replace(",", ".")));
}
