"use strict";
const js = require("@eslint/js");
const globals = require("globals");

// The scripts run in pages, in workers and under Node.
module.exports = [
  js.configs.recommended,
  {
    languageOptions: {
      globals: { ...globals.browser, ...globals.serviceworker, ...globals.node, Go: "readonly" },
    },
    rules: {
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "no-empty": "off",
      "no-useless-assignment": "off", // setting a variable to null frees its value
    },
  },
  {
    // These files are loaded one after another and share their names.
    files: ["assets/js/worker/*.js"],
    ignores: ["assets/js/worker/compile-worker.js"],
    languageOptions: { sourceType: "script" },
    rules: { "no-undef": "off", "no-unused-vars": ["error", { vars: "local", ignoreRestSiblings: true }] },
  },
  {
    // This test needs unusual values, such as sparse arrays.
    files: ["wasm/embed/hostile.mjs"],
    rules: { "no-setter-return": "off", "no-sparse-arrays": "off" },
  },
];
