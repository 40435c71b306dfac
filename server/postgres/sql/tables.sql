-- The tables of generation {{.N}}. They are filled by COPY and never changed.
CREATE TABLE {{.Schema}}.items_{{.N}} (
	item      integer PRIMARY KEY,     -- the item's place in the model
	id        text NOT NULL UNIQUE,
	title     text NOT NULL,
	year      integer,                 -- NULL: unknown
	genres    text[] NOT NULL,
	columns   jsonb NOT NULL,          -- further columns of the catalogue, by name
	count     integer NOT NULL,        -- interactions in training
	genre_set integer NOT NULL,        -- of genre_sets_{{.N}}; 0: no genres
	row       vector({{.Width}}) NOT NULL, -- [mean; stddev]: W2 is the Euclidean distance
	place     vector({{.Place}}) NOT NULL -- from whose distance the cost follows: placing in Go
);
-- γ·B of each link: the amount that liking source adds to the score of target.
CREATE TABLE {{.Schema}}.links_{{.N}} (
	source integer, target integer, bonus real NOT NULL, PRIMARY KEY (source, target)
);
-- γ·B of each link in order: the amount that the latest recent item source adds to the score of target.
CREATE TABLE {{.Schema}}.next_{{.N}} (
	source integer, target integer, bonus real NOT NULL, PRIMARY KEY (source, target)
);
-- p_g: the share of likes that go to items of the genre.
CREATE TABLE {{.Schema}}.genres_{{.N}} (genre text PRIMARY KEY, share double precision NOT NULL);
-- Each combination of genres of an item, numbered from 1.
CREATE TABLE {{.Schema}}.genre_sets_{{.N}} (genre_set integer PRIMARY KEY, genres text[] NOT NULL);
