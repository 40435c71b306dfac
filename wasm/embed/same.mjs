// Asks the package under node the questions that server_test.go asks the server, and prints the answers as JSON:
//
//	node same.mjs FOLDER QUESTIONS
//
// FOLDER is as in ask.mjs. QUESTIONS is a file with an array of requests for recommend, or ids for similar.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, questions] = process.argv.slice(2);
const { open } = await import(pathToFileURL(path.join(folder, "pmlam.js")).href);
const items = await open(path.join(folder, "model.msgpack"));

const answers = JSON.parse(fs.readFileSync(questions, "utf8")).map((question) => {
  try {
    return typeof question === "string" ? items.similar(question) : items.recommend(question);
  } catch (error) {
    return { error: error.message };
  }
});
process.stdout.write(JSON.stringify(answers), () => process.exit(0));
