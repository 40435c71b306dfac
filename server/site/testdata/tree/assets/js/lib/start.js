import{shared}from"./shared.js";
export const start = () => shared;
export const stop = () => {};
