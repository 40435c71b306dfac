export const stamp = "STAMP";
