-- One row for each kept generation: the current one and the previous one.
CREATE SCHEMA IF NOT EXISTS {{.Schema}};
CREATE TABLE IF NOT EXISTS {{.Schema}}.model (
	generation  integer PRIMARY KEY,
	digest      text NOT NULL,             -- SHA-256 of the model file's content
	dataset     text NOT NULL,
	exported    timestamptz NOT NULL DEFAULT now(),
	items       integer NOT NULL,
	dim         integer NOT NULL,          -- h
	weight      double precision NOT NULL, -- of the mean of the likes in a visitor's row
	prior_likes double precision NOT NULL, -- how many likes at mean stand beside those of a visitor
	radius      double precision NOT NULL, -- of the ball of the means
	min_stddev  double precision NOT NULL,
	push        double precision NOT NULL, -- how far dislikes move a visitor
	mean        real[] NOT NULL,           -- the catalogue's mean row
	prior       real[] NOT NULL,           -- the row of a visitor who has said nothing
	genre_scale double precision NOT NULL, -- what one log odds of a genre is worth in W2²; 0: nothing
	genre_prior double precision NOT NULL,
	unit        double precision NOT NULL, -- τ: one nat in W2²
	niche_most  double precision NOT NULL, -- the largest evidence of a niche taste
	niche_genres double precision NOT NULL, -- what one unit of it adds to the weight of genres
	rarity      double precision NOT NULL, -- what being little known is worth in W2²; 0: nothing
	few_know    integer NOT NULL,          -- the count that 85% of titles do not exceed
	again       boolean NOT NULL,          -- recent items may be listed, unless a question says otherwise
	link_prior  double precision NOT NULL, -- how many likes and dislikes halve the weight of a visitor's links
	-- The coordinates of items' places after the row: genre_size for each of these genres that an item has, and level_size
	-- for each of the levels after the first that its count reaches.
	placed_genres text[] NOT NULL,
	levels      integer[] NOT NULL,
	genre_size  double precision NOT NULL,
	level_size  double precision NOT NULL
);
-- For a schema made by an older program.
ALTER TABLE {{.Schema}}.model ADD COLUMN IF NOT EXISTS prior_likes double precision NOT NULL DEFAULT 0;
ALTER TABLE {{.Schema}}.model
	ADD COLUMN IF NOT EXISTS unit double precision NOT NULL DEFAULT 1,
	ADD COLUMN IF NOT EXISTS niche_most double precision NOT NULL DEFAULT 0,
	ADD COLUMN IF NOT EXISTS niche_genres double precision NOT NULL DEFAULT 0,
	ADD COLUMN IF NOT EXISTS rarity double precision NOT NULL DEFAULT 0,
	ADD COLUMN IF NOT EXISTS few_know integer NOT NULL DEFAULT 0,
	ADD COLUMN IF NOT EXISTS again boolean NOT NULL DEFAULT false,
	ADD COLUMN IF NOT EXISTS link_prior double precision NOT NULL DEFAULT 0,
	ADD COLUMN IF NOT EXISTS placed_genres text[] NOT NULL DEFAULT '{}',
	ADD COLUMN IF NOT EXISTS levels integer[] NOT NULL DEFAULT '{0}',
	ADD COLUMN IF NOT EXISTS genre_size double precision NOT NULL DEFAULT 1,
	ADD COLUMN IF NOT EXISTS level_size double precision NOT NULL DEFAULT 1;
