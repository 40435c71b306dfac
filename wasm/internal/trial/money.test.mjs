// Prices in two languages and regions: node --test money.test.mjs

import test from "node:test";
import assert from "node:assert/strict";
import { money } from "../../../assets/js/page/money.js";

test("a number with a currency is written in the visitor's language", () => {
  for (const [text, en, de] of [
    ["1504.90 EUR", "€1,504.90", "1.504,90 €"],
    ["3,5 €", "€3.50", "3,50 €"],
    ["£12", "£12.00", "12,00 £"],
    ["USD 7.25", "$7.25", "7,25 $"],
    ["980 JPY", "¥980", "980 ¥"],
  ]) {
    assert.equal(money(text, "en"), en);
    assert.equal(money(text, "de").replace(/\s/g, " "), de);
  }
});

test("a region of the visitor's is used", () => {
  Object.defineProperty(globalThis, "navigator", { value: { languages: ["fr-FR", "de-CH"] }, configurable: true });
  assert.match(money("1504.90 CHF", "de"), /^CHF\s1.504\.90$/);
  assert.equal(money("5 AUD", "en"), "A$5.00");
});

test("other texts stay as they are", () => {
  for (const text of [
    "",
    "$5",
    "1,504 €",
    "1.504 EUR",
    "1,504.00 EUR",
    "from 3 €",
    "5 PCS",
    "EUR",
    "2 seats",
    "-3 EUR",
    "3 € 4 €",
  ]) {
    assert.equal(money(text, "en"), text);
  }
});
