import { open } from "@pmlam/recommender";
import ForYou from "./ForYou";

const opening = open("public/model.msgpack");

// Rendered on the server, for each request that asks for an item.
export default async function Page({ searchParams }: { searchParams: Promise<{ item?: string }> }) {
  const shop = await opening;
  const { id, title } = shop.item((await searchParams).item ?? "p1");
  return (
    <main>
      <h1>{title}</h1>
      <h2>Bought by the same people</h2>
      <ul id="similar">
        {shop.similar(id, 3).items.map(({ id, title, columns }) => (
          <li key={id}>
            <a href={`?item=${id}`}>{title}</a> {columns.price}
          </li>
        ))}
      </ul>
      <ForYou item={id} />
    </main>
  );
}
