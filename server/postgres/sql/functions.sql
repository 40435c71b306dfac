-- The functions name the tables of their generation, so each question is answered by one model. They are VOLATILE,
-- because each statement of a volatile function sees the data committed at its start: a STABLE one would look for rows
-- of a new generation with its caller's older snapshot, and find none.

-- compose returns a visitor's row [mean; stddev] as core/recommend composes it:
--   x = (n·mean of the liked rows + prior_likes·mean of the catalogue)/(n + prior_likes)
--       − push·m/(n+m)·(mean of the disliked rows − mean of the catalogue), only for the means
--   row = weight·x, the mean scaled into the ball, the stddevs floored
CREATE OR REPLACE FUNCTION {{.Schema}}.compose(likes integer[], dislikes integer[]) RETURNS vector
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, {{.Vector}}, pg_temp
AS $function$
DECLARE
	m {{.Schema}}.model;
	n integer := cardinality(likes);
	x real[];
	bad real[];
	c double precision;
	norm double precision := 0;
BEGIN
	SELECT * INTO m FROM {{.Schema}}.model WHERE generation = {{.N}};
	IF NOT FOUND THEN
		RAISE EXCEPTION 'the model was replaced after this transaction began; begin it again'
			USING ERRCODE = 'serialization_failure';
	END IF;
	IF n + cardinality(dislikes) = 0 THEN
		RETURN m.prior::vector;
	END IF;
	SELECT avg(i.row)::real[] INTO x FROM {{.Schema}}.items_{{.N}} i WHERE i.item = ANY (likes);
	x := coalesce(x, m.mean);
	IF m.prior_likes > 0 THEN
		FOR d IN 1 .. 2*m.dim LOOP
			x[d] := (n * x[d] + m.prior_likes * m.mean[d]) / (n + m.prior_likes);
		END LOOP;
	END IF;
	IF cardinality(dislikes) > 0 THEN
		SELECT avg(i.row)::real[] INTO bad FROM {{.Schema}}.items_{{.N}} i WHERE i.item = ANY (dislikes);
		c := m.push * cardinality(dislikes) / (n + cardinality(dislikes));
		FOR d IN 1 .. m.dim LOOP
			x[d] := x[d] - c * (bad[d] - m.mean[d]);
		END LOOP;
	END IF;
	FOR d IN 1 .. m.dim LOOP
		x[d] := m.weight * x[d];
		norm := norm + x[d]::double precision * x[d];
		x[m.dim + d] := greatest(m.weight * x[m.dim + d], m.min_stddev);
	END LOOP;
	IF sqrt(norm) > m.radius THEN
		FOR d IN 1 .. m.dim LOOP
			x[d] := x[d] * (m.radius / sqrt(norm));
		END LOOP;
	END IF;
	RETURN x::vector;
END
$function$;

-- genre_weights returns the bonus of each genre from the genres of the likes:
--   genre_scale·ln(q/(1−q)·(1−p)/p)    q = (likes of genre g + κ·p)/(likes + κ)
CREATE OR REPLACE FUNCTION {{.Schema}}.genre_weights(likes integer[]) RETURNS TABLE (genre text, bonus double precision)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $function$
	WITH said AS (
		SELECT genre, count(DISTINCT i.item)::double precision AS n
		FROM {{.Schema}}.items_{{.N}} i, unnest(i.genres) genre WHERE i.item = ANY (likes) GROUP BY genre
	), q AS (
		SELECT g.genre, g.share AS p, m.genre_scale,
			(coalesce(s.n, 0) + m.genre_prior * g.share) / (cardinality(likes) + m.genre_prior) AS q
		FROM {{.Schema}}.genres_{{.N}} g LEFT JOIN said s ON s.genre = g.genre,
			(SELECT * FROM {{.Schema}}.model WHERE generation = {{.N}}) m
		WHERE g.share > 0 AND g.share < 1 AND m.genre_scale > 0 AND cardinality(likes) > 0
	)
	SELECT q.genre, q.genre_scale * ln(q.q / (1 - q.q) * ((1 - q.p) / q.p)) FROM q
$function$;

-- genre_bonuses returns the bonus of each combination of genres, by its number: the sum of the genres' bonuses.
CREATE OR REPLACE FUNCTION {{.Schema}}.genre_bonuses(likes integer[]) RETURNS double precision[]
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $function$
	WITH sums AS (
		SELECT s.genre_set, coalesce(sum(w.bonus), 0) AS bonus
		FROM {{.Schema}}.genre_sets_{{.N}} s LEFT JOIN {{.Schema}}.genre_weights(likes) w ON w.genre = ANY (s.genres)
		GROUP BY s.genre_set
	)
	SELECT coalesce(array_agg(bonus ORDER BY genre_set), '{}') FROM sums
$function$;

-- niche returns the evidence of a niche taste: by how much better the other likes predict each like than general
-- popularity does, in nats, from 0 to niche_most.
CREATE OR REPLACE FUNCTION {{.Schema}}.niche(likes integer[]) RETURNS double precision
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, {{.Vector}}, pg_temp
AS $function$
	SELECT coalesce(least(greatest(avg(
		((i.row <-> m.prior::vector)^2 - (i.row <-> {{.Schema}}.compose(array_remove(likes, i.item), '{}'))^2) / m.unit
		+ coalesce((SELECT sum(w.bonus) FROM {{.Schema}}.genre_weights(array_remove(likes, i.item)) w
			WHERE w.genre = ANY (i.genres)) / nullif(m.genre_scale, 0), 0)
	), 0), max(m.niche_most)), 0)
	FROM {{.Schema}}.items_{{.N}} i, {{.Schema}}.model m
	WHERE m.generation = {{.N}} AND i.item = ANY (likes) AND cardinality(likes) > 1 AND m.rarity > 0
$function$;

-- visitor returns the row of a visitor with these likes and dislikes. Ids that the model does not have are skipped.
CREATE OR REPLACE FUNCTION {{.Schema}}.visitor(likes text[], dislikes text[] DEFAULT '{}') RETURNS vector
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, {{.Vector}}, pg_temp
AS $function$
	SELECT {{.Schema}}.compose(
		ARRAY(SELECT item FROM {{.Schema}}.items_{{.N}} WHERE id = ANY (likes)),
		ARRAY(SELECT item FROM {{.Schema}}.items_{{.N}} WHERE id = ANY (dislikes) AND id <> ALL (coalesce(likes, '{}')))
	)
$function$;

DROP FUNCTION IF EXISTS {{.Schema}}.recommend(text[], integer, text[], text[], text[], integer, integer, jsonb);

-- recommend returns the k items with the lowest cost that are in none of the lists and pass the filter:
--   cost = W2² − n/(n + link_prior)·(Σ links from likes − Σ links from dislikes) − Σ_k {{.RecentDecay}}^k·links in order from the k-th recent item
--       − (1 + niche_genres·niche)·bonus from the genres of the likes
--       − rarity·√(prior_likes/(n + prior_likes))·(1 − 1/n)·(1 + niche)·ln((1 + few_know)/(1 + count))
-- The last {{.RecentItems}} of recent count, the latest last. Without likes they also count as likes. They are not listed,
-- unless again, or without it the model, says so. It takes the items of the nearest places from the index, which are
-- those of the lowest cost apart from links (placing in Go), and all targets of the likes' links, and ranks them by
-- cost. While an item farther away could have a lower cost than the last of the list, it takes four times as many. If a
-- filter leaves the index scan with too few items, it scans all rows instead.
CREATE OR REPLACE FUNCTION {{.Schema}}.recommend(
	likes text[], k integer DEFAULT 10, exclude text[] DEFAULT '{}', dislikes text[] DEFAULT '{}',
	genres text[] DEFAULT '{}', from_year integer DEFAULT NULL, to_year integer DEFAULT NULL,
	columns jsonb DEFAULT '{}', recent text[] DEFAULT '{}', again boolean DEFAULT NULL
) RETURNS TABLE (id text, title text, cost double precision, distance double precision)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, {{.Vector}}, pg_temp
SET hnsw.iterative_scan = relaxed_order SET hnsw.ef_search = 1000 SET enable_indexscan = on SET jit = off
AS $function$
DECLARE
	liked integer[];
	disliked integer[];
	late integer[]; -- recent items, the latest first
	out_of_list integer[];
	visitor vector;
	bonuses double precision[];
	m {{.Schema}}.model;
	narrow double precision;
	rare double precision; -- the weight of being little known
	share double precision; -- of the links' weight
	place real[]; -- of the visitor
	further real[]; -- its coordinates after the row
	surplus double precision; -- an item costs at least its squared distance from there minus this
	most double precision; -- that genres without coordinates can add to an item's score
	wanted integer := {{.Candidates}};
	found integer;
	farthest double precision;
	all_items integer;
	ids text[];
	titles text[];
	costs double precision[];
	distances double precision[];
	filter text := '';
BEGIN
	IF k IS NULL OR k NOT BETWEEN 1 AND {{.MaxK}} THEN
		RAISE EXCEPTION 'k is %, it must be between 1 and {{.MaxK}}', k USING ERRCODE = 'invalid_parameter_value';
	END IF;
	liked := ARRAY(SELECT i.item FROM {{.Schema}}.items_{{.N}} i WHERE i.id = ANY (likes));
	disliked := ARRAY(SELECT i.item FROM {{.Schema}}.items_{{.N}} i
		WHERE i.id = ANY (dislikes) AND i.item <> ALL (liked));
	late := ARRAY(SELECT r.item FROM (
		SELECT i.item, max(u.at) AS at FROM unnest(recent) WITH ORDINALITY u(id, at)
		JOIN {{.Schema}}.items_{{.N}} i ON i.id = u.id WHERE i.item <> ALL (disliked) GROUP BY i.item
	) r ORDER BY r.at DESC LIMIT {{.RecentItems}});
	IF cardinality(liked) = 0 THEN
		liked := late;
	END IF;
	SELECT * INTO m FROM {{.Schema}}.model o WHERE o.generation = {{.N}};
	out_of_list := CASE WHEN coalesce(again, m.again)
		THEN ARRAY(SELECT l.item FROM unnest(liked) l(item) WHERE l.item <> ALL (late)) ELSE liked || late END
		|| disliked || ARRAY(SELECT i.item FROM {{.Schema}}.items_{{.N}} i WHERE i.id = ANY (exclude));
	visitor := {{.Schema}}.compose(liked, disliked);
	all_items := m.items;
	narrow := {{.Schema}}.niche(liked);
	rare := CASE WHEN cardinality(liked) > 0 THEN m.rarity * (1 + narrow)
		* sqrt(m.prior_likes / (cardinality(liked) + m.prior_likes)) * (1 - 1.0 / cardinality(liked)) ELSE 0 END;
	share := coalesce((cardinality(liked) + cardinality(disliked))
		/ nullif(cardinality(liked) + cardinality(disliked) + m.link_prior, 0), 1);
	SELECT coalesce(array_agg(b * (1 + m.niche_genres * narrow) ORDER BY at), '{}') INTO bonuses
		FROM unnest({{.Schema}}.genre_bonuses(liked)) WITH ORDINALITY u(b, at);
	-- See placing in Go: (s² + bonus)/(2s) for each genre with a coordinate, (t² − what a level costs)/(2t) for each level.
	further := ARRAY(
		SELECT (m.genre_size^2 + coalesce(w.bonus, 0) * (1 + m.niche_genres * narrow)) / (2 * m.genre_size)
		FROM unnest(m.placed_genres) WITH ORDINALITY g(genre, at)
		LEFT JOIN {{.Schema}}.genre_weights(liked) w ON w.genre = g.genre ORDER BY g.at
	) || ARRAY(
		SELECT (m.level_size^2 - rare * ln((1 + m.levels[at])::double precision / (1 + m.levels[at - 1]))) / (2 * m.level_size)
		FROM generate_series(2, cardinality(m.levels)) at ORDER BY at
	);
	place := visitor::real[] || further;
	SELECT coalesce(sum(c::double precision * c), 0) + rare * ln((1 + m.few_know)::double precision / (1 + m.levels[1]))
		INTO surplus FROM unnest(further) c;
	SELECT greatest(max(x.bonus), 0) * (1 + m.niche_genres * narrow) INTO most FROM (
		SELECT sum(w.bonus) AS bonus FROM {{.Schema}}.genre_sets_{{.N}} s
		JOIN {{.Schema}}.genre_weights(liked) w ON w.genre = ANY (s.genres) AND w.genre <> ALL (m.placed_genres)
		GROUP BY s.genre_set
	) x;
	surplus := surplus + coalesce(most, 0);
	IF cardinality(genres) > 0 THEN
		filter := filter || ' AND i.genres && $8';
	END IF;
	IF from_year IS NOT NULL OR to_year IS NOT NULL THEN
		filter := filter || ' AND i.year BETWEEN coalesce($9, i.year) AND coalesce($10, i.year)';
	END IF;
	IF columns <> '{}' THEN
		filter := filter || ' AND i.columns @> $11';
	END IF;
	wanted := greatest(wanted, 2 * k);
	LOOP
		EXECUTE '
			WITH bonus AS MATERIALIZED (
				SELECT l.item, sum(l.bonus) AS bonus FROM (
					SELECT l.target AS item,
						$15 * (CASE WHEN l.source = ANY ($2) THEN l.bonus ELSE -l.bonus END)::double precision AS bonus
					FROM {{.Schema}}.links_{{.N}} l WHERE l.source = ANY ($2 || $3)
					UNION ALL
					SELECT n.target, {{.RecentDecay}} ^ (array_position($14, n.source) - 1)::double precision * n.bonus
					FROM {{.Schema}}.next_{{.N}} n WHERE n.source = ANY ($14)
				) l GROUP BY l.item
			), near AS MATERIALIZED (
				SELECT i.item, i.id, i.title, i.genre_set, i.count, i.row <-> $1 AS distance, i.place <-> $16 AS away
				FROM {{.Schema}}.items_{{.N}} i
				WHERE i.item <> ALL ($4)' || filter || ' ORDER BY i.place <-> $16 LIMIT $5
			), linked AS (
				SELECT i.item, i.id, i.title, i.genre_set, i.count, i.row <-> $1 AS distance
				FROM bonus b JOIN {{.Schema}}.items_{{.N}} i ON i.item = b.item
				WHERE b.bonus > 0 AND i.item <> ALL ($4) AND i.item NOT IN (SELECT n.item FROM near n)' || filter || '
			), best AS (
				SELECT c.*, c.distance * c.distance - coalesce(b.bonus, 0) - coalesce($7[c.genre_set], 0)
					- $12 * ln((1 + $13)::double precision / (1 + c.count)) AS cost
				FROM (
					SELECT item, id, title, genre_set, count, distance FROM near UNION ALL SELECT * FROM linked
				) c LEFT JOIN bonus b ON b.item = c.item
				ORDER BY cost, item LIMIT $6
			)
			SELECT (SELECT count(*) FROM near), (SELECT max(n.away) FROM near n),
				array_agg(b.id ORDER BY b.cost, b.item), array_agg(b.title ORDER BY b.cost, b.item),
				array_agg(b.cost ORDER BY b.cost, b.item), array_agg(b.distance ORDER BY b.cost, b.item)
			FROM best b'
		INTO found, farthest, ids, titles, costs, distances
		USING visitor, liked, disliked, out_of_list, wanted, k, bonuses, genres, from_year, to_year, columns,
			rare, m.few_know, late, share, place::vector;
		IF found < wanted THEN
			EXIT WHEN current_setting('enable_indexscan') = 'off';
			PERFORM set_config('enable_indexscan', 'off', true);
		ELSE
			EXIT WHEN costs[k] <= farthest * farthest - surplus OR wanted >= all_items;
			wanted := least(4 * wanted, all_items);
		END IF;
	END LOOP;
	RETURN QUERY SELECT * FROM unnest(ids, titles, costs, distances);
END
$function$;

-- goes_with returns what people choose with an item or after it, then similar items.
CREATE OR REPLACE FUNCTION {{.Schema}}.goes_with(item text, k integer DEFAULT 10)
RETURNS TABLE (id text, title text, cost double precision, distance double precision)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, {{.Vector}}, pg_temp
AS $function$
	SELECT * FROM {{.Schema}}.recommend('{}', k, recent => ARRAY[item])
$function$;

DROP VIEW IF EXISTS {{.Schema}}.items;
CREATE VIEW {{.Schema}}.items AS
	SELECT item, id, title, year, genres, columns, count, row FROM {{.Schema}}.items_{{.N}};
