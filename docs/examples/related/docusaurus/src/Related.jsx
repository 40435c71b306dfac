import { useEffect, useRef } from "react";
import useBaseUrl from "@docusaurus/useBaseUrl";

// The list that pmlam wrote into the page, which React must not touch. A page reached by a link inside the site has
// no HTML file of its own: its list comes from related.json.
export default function Related() {
  const element = useRef(null);
  const root = useBaseUrl("/");
  useEffect(() => {
    if (element.current.querySelector("a")) return;
    const address = location.pathname.slice(root.length);
    fetch(root + "related.json")
      .then((answer) => answer.json())
      .then(({ pages }) => {
        const list = document.createElement("ul");
        for (const page of pages[address] ?? pages[address + "/"] ?? []) {
          const link = document.createElement("a");
          link.href = root + page.address;
          link.textContent = page.title;
          list.appendChild(document.createElement("li")).append(link);
        }
        if (list.firstChild) element.current?.append(list);
      });
  }, [root]);
  return (
    <pmlam-related
      ref={element}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: "<h2>Related notes</h2>" }}
    />
  );
}
