// Applies the operations of the program's renderer (wasm/internal/dom) to the page. One call brings all changes as a
// text of fields that end with NUL: an operation's letter, then numbers of nodes and texts.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Returns {apply(text), node(number)} for the element that matches the selector, or null. The element becomes number 0
 * and is emptied. happened(number, type, event) is called at the events that a node listens to.
 */
globalThis.pmlamRender = (selector, happened) => {
  const root = document.querySelector(selector);
  root?.replaceChildren();
  const nodes = [root];

  function apply(text) {
    const f = text.split("\0");
    for (let i = 0; i + 1 < f.length;) {
      const letter = f[i++],
        number = f[i++],
        node = nodes[number];
      switch (letter) {
        case "e":
          nodes[number] = document.createElement(f[i++]);
          break;
        case "E":
          nodes[number] = document.createElementNS(SVG, f[i++]);
          break;
        case "t":
          nodes[number] = document.createTextNode(f[i++]);
          break;
        case "s":
          node.data = f[i++];
          break;
        case "a":
          node.setAttribute(f[i++], f[i++]);
          break;
        case "r":
          node.removeAttribute(f[i++]);
          break;
        case "p": {
          const name = f[i++],
            value = JSON.parse(f[i++]);
          if (node[name] !== value) {
            node[name] = value;
          }
          break;
        }
        case "l": {
          const type = f[i++],
            at = Number(number);
          node.addEventListener(type, (event) => nodes[at] === node && happened(at, type, event));
          break;
        }
        case "h":
          node.innerHTML = f[i++];
          break;
        case "x":
          node.textContent = f[i++];
          break;
        case "c":
          node.append(nodes[f[i++]]);
          break;
        case "b":
          node.before(nodes[f[i++]]);
          break;
        case "d":
          node.remove();
          nodes[number] = null;
          break;
        default:
          throw new Error(`render.js: unknown operation ${letter}`);
      }
    }
  }

  return root === null ? null : { apply, node: (number) => nodes[number] };
};
