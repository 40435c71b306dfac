/** The package's error; error.d.ts lists the codes. */
export class RecommenderError extends Error {
  constructor(code, sentence, { option, cause } = {}) {
    super(sentence, cause === undefined ? undefined : { cause });
    this.name = "RecommenderError";
    this.code = code;
    this.option = option ?? null;
  }
}
