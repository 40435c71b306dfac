package importer

import "github.com/pmlam/pmlam/core/catalogue"

// Form is the kind of an entry, as far as its table states it.
type Form uint8

const (
	Film    Form = iota // a film, a book, or not stated
	Series              // on television
	Episode             // or a season
	Song                // which may have the name of a film
)

// Words in the name of a type, folded. "Episode" wins over "series", and "film" over "television".
const (
	episodeWords = "episode|folge|season|staffel|saison|temporada|stagione|episodio|odcinek|эпизод|сезон|серия|集"
	filmWords    = "movie|film|short|special|video|видео|фильм|电影|映画"
	seriesWords  = "show|series|serie|serial|mini|tv|сериал|剧|ova|ona|アニメ"
)

// formOf parses a type such as "movie", "TV Mini Series", "tvEpisode", "Fernsehserie".
func formOf(s string) Form {
	if s == "" {
		return Film
	}
	s = catalogue.Fold(s)
	switch {
	case hasAny(s, episodeWords):
		return Episode
	case !hasAny(s, filmWords) && hasAny(s, seriesWords):
		return Series
	}
	return Film
}
