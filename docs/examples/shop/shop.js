// A shop without a server: what it sells is in products.csv, the basket is kept in the browser.

import "./embed/components.js";

const id = new URLSearchParams(location.search).get("id"); // of the product that the page shows
const basket = JSON.parse(localStorage.getItem("basket") ?? "[]");

function count() {
  const text = basket.length === 0 ? "nothing" : basket.length === 1 ? "one thing" : `${basket.length} things`;
  document.querySelector("#basket").textContent = `${text} in the basket`;
}

async function products() {
  const text = await (await fetch("products.csv")).text();
  const [, ...lines] = text.trim().split("\n");
  return lines.map((line) => line.split(","));
}

function show([, title, , price]) {
  document.querySelector("h1").textContent = title;
  document.querySelector("#price").textContent = price;
  document.querySelector("button").addEventListener("click", () => {
    basket.push(id);
    localStorage.setItem("basket", JSON.stringify(basket));
    count();
  });
}

function link([of, title, , price]) {
  const item = document.createElement("li");
  const a = item.appendChild(document.createElement("a"));
  a.href = `product.html?id=${of}`;
  a.textContent = `${title}, ${price}`;
  return item;
}

count();
document.querySelector("pmlam-recommendations").setAttribute(id ? "item" : "likes", id ?? basket.join(" "));
const all = await products();
if (id) {
  show(all.find(([of]) => of === id));
} else {
  document.querySelector("#products").append(...all.map(link));
}
