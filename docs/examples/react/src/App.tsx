import { useEffect, useState } from "react";
import { open, type Suggestion } from "@pmlam/recommender";
import { visitor } from "@pmlam/recommender/components";

const model = "model.msgpack";

export default function App({ item }: { item: string }) {
  const [title, setTitle] = useState("");
  const [items, setItems] = useState<Suggestion[]>([]);
  const [liked, setLiked] = useState(visitor.of(item) === "like");
  useEffect(() => {
    const opening = open(model);
    opening.then((shop) => {
      setTitle(shop.item(item).title);
      setItems(shop.similar(item, 3).items);
    });
    return () => void opening.then((shop) => shop.close());
  }, [item]);
  return (
    <main>
      <h1>{title}</h1>
      <pmlam-like item={item} onpmlam-like={(event) => setLiked(event.detail.liked)}>
        I like it
      </pmlam-like>
      <output>{liked ? "liked" : "not liked"}</output>
      <h2>Bought by the same people</h2>
      <ul id="similar">
        {items.map(({ id, title, columns }) => (
          <li key={id}>
            <a href={`?item=${id}`}>{title}</a> {columns.price}
          </li>
        ))}
      </ul>
      <h2>For you</h2>
      <pmlam-recommendations model={model} k={3} href="?item={id}" detail="price" label="For you">
        <a href="?item=p2">Floor lamp</a>
      </pmlam-recommendations>
    </main>
  );
}
