"use client";

import { useEffect, useState } from "react";
import { visitor } from "@pmlam/recommender/components";

export default function ForYou({ item }: { item: string }) {
  const [liked, setLiked] = useState(false); // the server does not know the visitor
  useEffect(() => {
    const show = () => setLiked(visitor.of(item) === "like");
    show();
    visitor.addEventListener("change", show);
    return () => visitor.removeEventListener("change", show);
  }, [item]);
  return (
    <>
      <pmlam-like item={item}>I like it</pmlam-like>
      <output>{liked ? "liked" : "not liked"}</output>
      <h2>For you</h2>
      <pmlam-recommendations model="/model.msgpack" k={3} href="?item={id}" detail="price" label="For you">
        <a href="?item=p2">Floor lamp</a>
      </pmlam-recommendations>
    </>
  );
}
