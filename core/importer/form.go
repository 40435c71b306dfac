package importer

import "github.com/pmlam/pmlam/core/catalogue"

// Form is what kind of thing an entry is, as far as its table says.
type Form uint8

// The forms.
const (
	Film    Form = iota // a film, a book, or not stated
	Series              // of television
	Episode             // or a season
	Song                // which may be called as a film is
)

// Words of a type's name, folded. An episode of a series is an episode, a film of television a film.
const (
	episodeWords = "episode|folge|season|staffel|saison|temporada|stagione|episodio|odcinek|эпизод|сезон|серия|集"
	filmWords    = "movie|film|short|special|video|видео|фильм|电影|映画"
	seriesWords  = "show|series|serie|serial|mini|tv|сериал|剧|ova|ona|アニメ"
)

// formOf reads a type such as "movie", "TV Mini Series", "tvEpisode", "Fernsehserie".
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
