// The page's language, and its texts before the program runs. All later texts are the Words of package ui/words, in the
// same languages (a test compares them).
//
// The language is the one chosen under "Your data", else the browser's first one that the page has, else English. The
// document's lang and dir follow it; title and description change if it is not the language of index.html.

const megabytes = (n, point) => (n / 1e6).toFixed(1).replace(".", point);

const languages = {
  en: {
    tagline: "what next?",
    description:
      "Pick what you love, see what is near, see how sure we are. Recommendations " +
      "that are worked out on your own device.",
    pick: (titles) => `Pick three${titles} you love`,
    opening: "Pick what you love, see what is near, see how sure we are.",
    picked: "Three picked. Your list appears as soon as the page has loaded.",
    wait: "Loading",
    loading: (loaded, total) =>
      total > 0
        ? `Loading ${megabytes(loaded, ".")} of ${megabytes(total, ".")} MB`
        : `Loading, ${megabytes(loaded, ".")} MB so far`,
    starting: "Almost ready",
    noWebAssembly:
      "This page needs WebAssembly, and this browser does not have it or has switched it off. Any current Firefox, " +
      "Chrome, Edge or Safari has it; where a lockdown mode or a policy forbids it, allow it for this page and " +
      "reload it.",
    unreachable: "The page could not be loaded completely. Check the connection, then try again.",
    refused: (file, status) =>
      `The page is incomplete: ${file} could not be loaded: the server answered ${status}. ` +
      "It may have been updated just now; reload it.",
    broken: (error) => `This browser cannot start the page’s program (${error}). Try again, or use a current browser.`,
    stopped: "The page has stopped because of an error in its program. Reload it to go on.",
    kept: "What you liked is kept on this device.",
    again: "Try again",
  },
  de: {
    tagline: "was als Nächstes?",
    description:
      "Sag, was du liebst, und sieh, was dazu passt und wie sicher das ist. Empfehlungen, " +
      "die auf deinem eigenen Gerät entstehen.",
    pick: (titles) => `Wähle drei${titles}, die du liebst`,
    opening: "Sag, was du liebst, und sieh, was dazu passt und wie sicher das ist.",
    picked: "Drei gewählt. Deine Liste erscheint, sobald die Seite geladen ist.",
    wait: "Wird geladen",
    loading: (loaded, total) =>
      total > 0
        ? `${megabytes(loaded, ",")} von ${megabytes(total, ",")} MB geladen`
        : `Bisher ${megabytes(loaded, ",")} MB geladen`,
    starting: "Gleich geht es los",
    noWebAssembly:
      "Diese Seite braucht WebAssembly, und dieser Browser kennt es nicht oder hat es abgeschaltet. Jeder aktuelle " +
      "Firefox, Chrome, Edge oder Safari kennt es; wo ein Blockierungsmodus oder eine Richtlinie es verbietet, " +
      "erlaube es für diese Seite und lade sie neu.",
    unreachable: "Die Seite konnte nicht ganz geladen werden. Prüfe die Verbindung und versuche es noch einmal.",
    refused: (file, status) =>
      `Die Seite ist unvollständig: ${file} war nicht zu laden, der Server hat mit ${status} geantwortet. ` +
      "Vielleicht wurde sie gerade erneuert; lade sie neu.",
    broken: (error) =>
      `Dieser Browser kann das Programm der Seite nicht starten (${error}). ` +
      "Versuche es noch einmal, oder nimm einen aktuellen Browser.",
    stopped: "Die Seite ist wegen eines Fehlers in ihrem Programm stehen geblieben. Lade sie neu, dann geht es weiter.",
    kept: "Was dir gefällt, ist auf diesem Gerät gespeichert.",
    again: "Noch einmal versuchen",
  },
};

const rightToLeft = ["ar", "fa", "he", "ur"];
const key = "language"; // outside of the program's store, to know the language before the program starts

const root = document.documentElement;
const description = document.querySelector('meta[name="description"]');
const written = { lang: root.lang || "en", title: document.title, description: description?.content };

/** The texts in the page's language. */
export const words = () => languages[root.lang] ?? languages.en;

const base = (tag) => tag.toLowerCase().split("-")[0];
const known = (tag) => Object.hasOwn(languages, tag);

/** The language for a visitor with this choice; "" for none. */
function spoken(chosen) {
  return [chosen, ...(navigator.languages ?? [])].map(base).find(known) ?? "en";
}

/** The title of the whole page. */
export function pageTitle() {
  const name = document.querySelector('meta[name="application-name"]')?.content;
  return root.lang === base(written.lang) || !name ? written.title : `${name}: ${words().tagline}`;
}

function speak(tag) {
  root.lang = tag;
  root.dir = rightToLeft.includes(tag) ? "rtl" : "ltr";
  const own = tag === base(written.lang);
  document.title = pageTitle();
  if (description !== null) {
    description.content = own ? written.description : words().description;
  }
}

/** The language chosen on this device, or "". */
export function chosen() {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return ""; // no storage
  }
}

/** Stores the chosen language, "" for the browser's, switches to it, and returns the new language. */
export function setLanguage(tag) {
  try {
    if (tag) {
      localStorage.setItem(key, tag);
    } else {
      localStorage.removeItem(key);
    }
  } catch {
    // no storage: it lasts until the page is closed
  }
  speak(spoken(tag));
  return root.lang;
}

speak(spoken(chosen()));

/** The owner's word for the site's titles, with a leading space, or "". */
function nouns() {
  const all = document.querySelector('meta[name="title-nouns"]')?.content ?? "";
  const own = all
    .split(";")
    .map((s) => s.trim())
    .find((s) => s.startsWith(`${root.lang} `));
  return own ? ` ${own.slice(root.lang.length).split("/").pop().trim()}` : "";
}

const pick = document.getElementById("loading-pick");
if (pick !== null) {
  pick.textContent = words().pick(nouns());
}
for (const [id, word] of [
  ["loading-text", "wait"],
  ["loading-opening", "opening"],
]) {
  const line = document.getElementById(id);
  if (line?.textContent === languages.en[word]) {
    line.textContent = words()[word];
  }
}
