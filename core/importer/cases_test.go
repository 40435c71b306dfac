package importer

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
)

// reading is a file as a visitor may have it, and the expected result with the shipped catalogue: for each entry its
// mark and the matched item.
type reading struct {
	name, data string
	format     Format
	columns    string // of titles, years and ratings, as detected
	want       []string
}

const (
	alien = "Alien (1979)"
	heat  = "Heat (1995)"
	none  = ""
)

// becomes describes the entries of a library as matched with the shipped catalogue.
func becomes(t *testing.T, m *Matcher, l *Library) (out []string) {
	t.Helper()
	matches, err := m.Match(l, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range matches {
		e := &l.Entries[i]
		mark := [...]string{"ignored", "liked", "disliked", "seen"}[DefaultMeaning.Mark(l, e)]
		if mark == "ignored" {
			mark = [...]string{"listed", "wished", "had", "hearted"}[e.Kind]
		}
		s := mark + ": "
		switch {
		case x.Item >= 0:
			it := m.items.Item(x.Item)
			s += fmt.Sprintf("%s (%d)", it.Title, it.Year)
		case x.Other:
			s += "a series"
		case x.Only:
			s += "likely " + m.items.Item(x.Likely()).Title
		case len(x.Candidates) > 0:
			s += "unsure"
		default:
			s += "unknown"
		}
		out = append(out, s)
	}
	return out
}

// readings returns kinds of files that visitors have, each in several forms. Some were reported; others are variations.
func readings() []reading {
	const imdbRow = ",https://www.imdb.com/title/tt0078748/,Movie,8.5,117,1979,\"Horror, Sci-Fi\",1000000,1979-05-25,Ridley Scott,"
	return []reading{
		// TMDB numbers films and series apart, and other numbers may be wrong.
		{"trakt.csv", "rated_at,type,title,year,trakt_rating,trakt_id,imdb_id,tmdb_id,season_number,episode_number,rating\n" +
			"x,movie,Alien,1979,8.3,295,tt0078748,348,,,9\nx,episode,Breaking Bad,2008,9.1,1388,tt0903747,1396,1,1,10\n" +
			"x,show,Breaking Bad,2008,9.1,1388,,1396,,,10\nx,season,Breaking Bad,2008,9.1,1388,,1396,1,,10\n", Trakt,
			"title year rating", []string{"liked: " + alien, "liked: a series", "liked: a series", "liked: a series"}},
		{"no-type.csv", "title,year,imdb_id,tmdb_id,rating\nBreaking Bad,2008,tt0903747,1396,9\nBreaking Bad,2008,,1396,9\n" +
			"Breaking Bad,,,1396,9\nAlien,,,348,9\nUn gran amor,,tt0113277,,9\n", Plain,
			"title year rating", []string{"liked: unknown", "liked: unknown", "liked: unknown", "liked: " + alien,
				"liked: " + heat}},
		{"translated.csv", "title,year,tmdb_id,rating\nDas unheimliche Wesen,1979,348,9\n", Plain, "title year rating",
			[]string{"liked: " + alien}},
		{"wrong-number.csv", "title,year,imdb_id,rating\nAlien,1979,tt0113277,5\n", Plain, "title year rating",
			[]string{"liked: unsure"}},
		{"tv.csv", "Const,Your Rating,Title,Title Type,Year\ntt0078748,9,Alien,TV Movie,1979\n,9,Heat,TV Mini Series,1995\n" +
			",9,Heat,tvEpisode,1995\n,9,Heat,Fernsehserie,1995\n,9,Heat,Video,1995\n", IMDb, "Title Year Your Rating",
			[]string{"liked: " + alien, "liked: a series", "liked: a series", "liked: " + heat}},

		// Columns of ratings, in many languages.
		{"letterboxd.csv", "Title,Year,Directors,Rating10,WatchedDate,Rewatch,Tags,Review,imdbID,tmdbID\n" +
			"Alien,1979,Ridley Scott,9,2020-01-01,false,,,tt0078748,348\nHeat,1995,Michael Mann,2,2020-01-01,false,,,,\n", Plain,
			"Title Year Rating10", []string{"liked: " + alien, "disliked: " + heat}},
		{"ratings.csv", "Const,Deine Bewertung,Bewertungsdatum,Titel,Originaltitel,Titelart,IMDb-Bewertung,Jahr,Anzahl Stimmen\n" +
			"tt0078748,9,2023-01-04,Alien - Das unheimliche Wesen,Alien,Film,\"8,5\",1979,1000000\n" +
			"tt0113277,2,2023-01-04,Heat,Heat,Film,\"8,3\",1995,720000\n", IMDb, "Titel Jahr Deine Bewertung",
			[]string{"liked: " + alien, "disliked: " + heat}},
		{"us.csv", "Const,You rated,Date Rated,Title,IMDb Rating,Year\ntt0078748,9,2023-01-04,Alien,8.5,1979\n", IMDb,
			"Title Year You rated", []string{"liked: " + alien}},
		{"fr.csv", "Titre;Année;Note moyenne;Votre note\nAlien;1979;4,1;4,5\nHeat;1995;4,3;1\n", Plain, "Titre Année Votre note",
			[]string{"liked: " + alien, "disliked: " + heat}},
		{"es.csv", "Título,Año,Tu calificación\nAlien,1979,9\n", Plain, "Título Año Tu calificación", []string{"liked: " + alien}},
		{"pl.csv", "Tytuł,Rok,Twoja ocena,Średnia ocena\nAlien,1979,9,7.9\n", Plain, "Tytuł Rok Twoja ocena",
			[]string{"liked: " + alien}},
		{"scale.csv", "Name,Year,My Rating (1-10)\nAlien,1979,4\n", Plain, "Name Year My Rating (1-10)",
			[]string{"disliked: " + alien}},
		{"other.csv", "Title,Year,Avg Rating,Critics Score,Number of Ratings,Score\nAlien,1979,2.1,20,3,9\n", Plain,
			"Title Year Score", []string{"liked: " + alien}},
		{"words.csv", "Title,Year,My rating\nAlien,1979,👍\nHeat,1995,dislike\n", Plain, "Title Year My rating",
			[]string{"liked: " + alien, "disliked: " + heat}},
		{"notes.csv", "Title,Year,Note,Mine\nAlien,1979,A film.,★★★★☆\nHeat,1995,Long.,★☆☆☆☆\n", Plain, "Title Year Mine",
			[]string{"liked: " + alien, "disliked: " + heat}},

		// Watchlists, lists, likes and libraries.
		{"9c1e3c60.csv", "Position,Const,Created,Modified,Description,Title,URL,Title Type,IMDb Rating,Runtime (mins),Year,Genres," +
			"Num Votes,Release Date,Directors,Your Rating\n1,tt0078748,2025-07-09,2025-07-09,,Alien" + imdbRow + "\n2,tt0113277," +
			"2025-07-09,2025-07-09,,Heat,,Movie,8.3,170,1995,Action,1,1995-12-15,Michael Mann,9\n", IMDb, "Title Year Your Rating",
			[]string{"listed: " + alien, "liked: " + heat}},
		{"WATCHLIST.csv", "Const,Title,Year,Your Rating\ntt0078748,Alien,1979,\n", IMDb, "Title Year Your Rating",
			[]string{"wished: " + alien}},
		{"movie_watchlist.csv", "ListedAt,TraktId,ImdbId,TmdbId,Title,Year\nx,295,tt0078748,348,Alien,1979\n", Trakt,
			"Title Year ", []string{"wished: " + alien}},
		{"favorites.csv", "TMDb ID,IMDb ID,Type,Name,Release Date,Season Number,Episode Number,Rating,Your Rating,Date Rated\n" +
			"348,tt0078748,movie,Alien,1979-05-25T00:00:00Z,,,8.473,,\n949,tt0113277,movie,Heat,1995-12-15T00:00:00Z,,,8.2,9.0,x\n",
			TMDB, "Name Release Date Your Rating", []string{"seen: " + alien, "liked: " + heat}},
		{"my_list.csv", "TMDb ID,IMDb ID,Type,Name,Release Date,Season Number,Episode Number,Rating\n" +
			"348,tt0078748,movie,Alien,1979-05-25T00:00:00Z,,,8.4\n", TMDB, "Name Release Date ", []string{"listed: " + alien}},
		{"films.csv", "Date,Name,Year,Letterboxd URI\nx,Alien,1979,https://boxd.it/2awY\n", Letterboxd, "Name Year ",
			[]string{"liked: " + alien}},
		{"watched.csv", "Date,Name,Year,Letterboxd URI\nx,Alien,1979,https://boxd.it/2awY\n", Letterboxd, "Name Year ",
			[]string{"seen: " + alien}},
		{"renamed.csv", "Date,Name,Year,Letterboxd URI\nx,Alien,1979,https://boxd.it/2awY\n", Letterboxd, "Name Year ",
			[]string{"listed: " + alien}},
		{"plain.csv", "Title,Year\nAlien,1979\n", Plain, "Title Year ", []string{"listed: " + alien}},
		{"Movies.csv", "Media ID,Title,Sort title,Studio,Content Rating,Year,Rating,Genres,View Count\n" +
			"1,Alien,,Fox,R,1979,9.8,Horror,1\n2,Heat,,WB,R,1995,8.7,Crime,0\n", Plex, "Title Year ",
			[]string{"seen: " + alien, "listed: " + heat}},
		{"averages.csv", "Title,Year,Rating\nAlien,1979,8.473\nHeat,1995,7.9\n", Plain, "Title Year ",
			[]string{"listed: " + alien, "listed: " + heat}},
		{"numbers.csv", "Title,Year,IMDb,My Rating\nAlien,1979,8.5,5\nHeat,1995,8,1\n", Plain, "Title Year My Rating",
			[]string{"liked: " + alien, "disliked: " + heat}},
		{"list.csv", "Date,Name,Tags,URL,Description\n2025-01-01,My favourites,,https://boxd.it/4ulke,My list\n\n" +
			"Position,Name,Year,URL,Description\n1,Alien,1979,https://boxd.it/2a1m,\n", Letterboxd, "Name Year ",
			[]string{"listed: " + alien}},
		{"list7.csv", "Letterboxd list export v7\nDate,Name,Tags,URL,Description\n2025-01-01,My favourites,,https://boxd.it/4ulke," +
			"My list\n\nPosition,Name,Year,URL,Description\n1,Alien,1979,https://boxd.it/2a1m,\n2,Heat,1995,x,\n", Letterboxd,
			"Name Year ", []string{"listed: " + alien, "listed: " + heat}},
		{"preamble.csv", "Exported on 2025-01-01\nby somebody\n\nTitle;Year;Rating\nAlien;1979;5\n", Plain, "Title Year Rating",
			[]string{"liked: " + alien}},

		// Several scales in one column, with and without column names.
		{"scales.csv", "Title,Year,Rating\nAlien,1979,9/10\nHeat,1995,3.5 / 5\nUp,2009,★★★★\nSaw,2004,20%\nBabe,1995,8 out of 10\n",
			Plain, "Title Year Rating", []string{"liked: " + alien, "seen: " + heat, "liked: Up (2009)", "disliked: Saw (2004)",
				"liked: Babe (1995)"}},
		{"both.csv", "Title,Year,Rating\nAlien,1979,9/10\nHeat,1995,2\n", Plain, "Title Year Rating",
			[]string{"liked: " + alien, "disliked: " + heat}},
		{"Ratings.csv", "Profile Name,Title Name,Rating Type,Star Value,Thumbs Value,Device Model\nAnna,Alien,thumb,,2,TV\n" +
			"Anna,Up,star,5,2,HTML 5\nAnna,Heat,thumb,,1,TV\nAnna,Casablanca,thumb,,0,TV\n", Netflix, "Title Name  Star Value",
			[]string{"liked: likely Alien", "liked: likely Up", "disliked: likely Heat", "listed: likely Casablanca"}},
		{"NetflixViewingHistory.csv", "Title,Date\nAlien,1/2/24\n\"Dark: Season 1: Secrets\",1/2/24\n\"Queer Eye: Staffel 2\",1/2/24\n" +
			"\"Avengers: Infinity War\",1/1/24\n", Netflix, "Title  ", []string{"seen: likely Alien", "seen: a series",
			"seen: a series", "seen: unknown"}},
		{"criticker.csv", "Film ID,Film Name,Your Score,Date,Rating,Tier\n1,Alien (1979),95,2020-01-01,,10\n" +
			"2,Heat (1995),20,2020-01-01,,1\n", Criticker, "Film Name  Your Score", []string{"liked: " + alien, "disliked: " + heat}},
		{"votes.csv", encoded("русскоязычное название;оригинальное название;год;моя оценка\nЧужой;Alien;1979;9\n"), Kinopoisk,
			"русскоязычное название год моя оценка", []string{"liked: " + alien}},
		{"我看.csv", "标题,简介,豆瓣评分,链接,创建时间,我的评分,标签,评论\n异形 / Alien,1979 / 美国,8.3,https://movie.douban.com/subject/1/,2020-01-01,5,,\n",
			Douban, "标题 简介 我的评分", []string{"liked: " + alien}},
		{"addresses.csv", "url,score\nhttps://www.imdb.com/title/tt0078748/,9\n", Plain, "  score", []string{"liked: " + alien}},
		{"ids.txt", "tt0078748\ntt0113277\n", Plain, "  ", []string{"listed: " + alien, "listed: " + heat}},
		{"ids.tsv", "tt0078748\t9\ntt0113277\t2\n", Plain, "  ", []string{"listed: " + alien, "listed: " + heat}},
		{"titles.txt", "Alien (1979)\nHeat (1995)\n", Plain, "Title  ", []string{"listed: " + alien, "listed: " + heat}},
		{"wrapped.csv", "Title,Year,My Rating,Exclusive Shelf,Review\n\"Alien,1979,5,read,\"\"Good, and \"\"\"\"long\"\"\"\"\"\"\"\n", Goodreads,
			"Title Year My Rating", []string{"liked: " + alien}},
		{"wrapped-all.csv", "\"Title,Year,My Rating\"\n\"Alien,1979,9\"\n\"Heat,1995,2\"\n", Plain, "Title Year My Rating",
			[]string{"liked: " + alien, "disliked: " + heat}},
		{"utf16.csv", wide("Title\tYear\tMy Rating\nAlien\t1979\t9\n"), Plain, "Title Year My Rating", []string{"liked: " + alien}},

		// More sites and spellings.
		{"simkl.csv", "Simkl ID,Title,Type,Year,Watchlist,Watched Date,Rating,Memo,TVDB,TMDB,IMDB\n1,Alien,movie,1979,completed,x,9,," +
			",348,tt0078748\n2,Heat,movie,1995,plantowatch,,,,,949,tt0113277\n3,Lost,tv,2004,completed,x,9,,1,4607,tt0411008\n", Plain,
			"Title Year Rating", []string{"liked: " + alien, "wished: " + heat, "liked: a series"}},
		{"anilist.json", `{"user":{"name":"x"},"lists":[{"name":"Completed","entries":[{"score":9,"status":"COMPLETED","media":{"title":{` +
			`"romaji":"Akira","english":"Akira"},"startDate":{"year":1988}}}],"isCustomList":false},{"name":"Planning","entries":[{"score":0,` +
			`"status":"PLANNING","media":{"title":{"romaji":"Alien"},"startDate":{"year":1979}}}]}]}`, Plain,
			"media title romaji media startDate year score", []string{"liked: Akira (1988)", "wished: " + alien}},
		{"kodi.xml", `<videodb><version>1</version><movie><title>Alien</title><userrating>9</userrating><playcount>1</playcount><year>1979` +
			`</year><uniqueid type="imdb">tt0078748</uniqueid><ratings><rating name="imdb"><value>8.1</value></rating></ratings></movie>` +
			`<movie><title>Heat</title><userrating>0</userrating><playcount>0</playcount><year>1995</year></movie></videodb>`, Plex,
			"title year userrating", []string{"liked: " + alien, "listed: " + heat}},
		{"filmweb.json", `[{"title":"Obcy","originalTitle":"Alien","year":1979,"rate":9,"favorite":false},{"title":"Gorączka","originalTitle"` +
			`:"Heat","year":1995,"rate":3,"favorite":true}]`, Plain, "title year rate", []string{"liked: " + alien, "liked: " + heat}},
		{"senscritique.csv", "Titre français;Titre original;Année;Note\nAlien, le huitième passager;Alien;1979;9\n", Plain,
			"Titre français Année Note", []string{"liked: " + alien}},
		{"csfd.csv", "Název;Rok;Hodnocení\nVetřelec;1979;*****\nHeat;1995;*\n", Plain, "Název Rok Hodnocení",
			[]string{"liked: unknown", "disliked: " + heat}},
		{"halves.csv", "Title,Year,Stars\nAlien,1979,4½\nHeat,1995,½\nUp,2009,4★\n", Plain, "Title Year Stars",
			[]string{"liked: " + alien, "disliked: " + heat, "liked: Up (2009)"}},
		{"pandas.csv", ",title,year,tmdbId,rating\n0,Alien,1979.0,348.0,4.5\n1,,1995.0,949.0,1.0\n", Plain, "title year rating",
			[]string{"liked: " + alien, "disliked: " + heat}},
		{"prime.csv", "Date Watched,Type,Title,Episode Title\nx,Movie,Alien,\nx,TV Series,Lost,Pilot\n", Plain, "Title  ",
			[]string{"seen: likely Alien", "seen: a series"}},
		{"serial.csv", "Title,Release Date,Your score\nAlien,28999,9\n", Plain, "Title Release Date Your score",
			[]string{"liked: " + alien}},
		{"de.csv", "Titel\tErscheinungsjahr\tMeine Bewertung (von 10)\tDurchschnittliche Bewertung\nAlien\t1979\t9\t3\n", Plain,
			"Titel Erscheinungsjahr Meine Bewertung (von 10)", []string{"liked: " + alien}},
		{"jp.csv", "タイトル,公開年,あなたの評価\nAlien,1979,5\n", Plain, "タイトル 公開年 あなたの評価", []string{"liked: " + alien}},

		// Missing ratings, and titles not seen.
		{"missing.csv", "Title,Year,Rating\nAlien,1979,4.5\nHeat,1995,N/A\nUp,2009,-\nSaw,2004,nan\n", Plain, "Title Year Rating",
			[]string{"liked: " + alien, "seen: " + heat, "seen: Up (2009)", "seen: Saw (2004)"}},
		{"twice.csv", "Title,Year,Rating\nAlien,1979,5\nTitle,Year,Rating\nHeat,1995,1\n", Plain, "Title Year Rating",
			[]string{"liked: " + alien, "disliked: " + heat}},
		{"invisible.csv", "\u200BTitle,Year\u00A0,Rating\nA\u200Blien\uFEFF,1979,5\n\u00A0Heat\u00A0,1995,1\n", Plain,
			"Title Year\u00A0 Rating", []string{"liked: " + alien, "disliked: " + heat}},
		{"html.csv", "Title,Year,Rating\nLilo &amp; Stitch,2002,5\nSchindler&#39;s List,1993,5\n", Plain, "Title Year Rating",
			[]string{"liked: Lilo & Stitch (2002)", "liked: Schindler's List (1993)"}},
		{"cr.csv", "Title,Year,Rating\rAlien,1979,5\rHeat,1995,1\r", Plain, "Title Year Rating",
			[]string{"liked: " + alien, "disliked: " + heat}},
		{"comments.csv", "# exported\n# by x\nTitle,Year,Rating,\nAlien,1979,5,\n", Plain, "Title Year Rating",
			[]string{"liked: " + alien}},

		// Parts of names.
		{"tails.csv", "Name,Year,Letterboxd URI,Rating\nThe Empire Strikes Back,1980,u,5\nReturn of the Jedi,1983,u,5\n" +
			"Star Wars,1977,u,5\nCastle in the Sky,1986,u,5\nThe Wrong Trousers,1993,u,5\nRomeo + Juliet,1996,u,5\n" +
			"Interview with the Vampire,1994,u,5\nEpisode VI - Return of the Jedi,1983,v,5\n", Letterboxd, "Name Year Rating",
			[]string{"liked: Star Wars: Episode V - The Empire Strikes Back (1980)",
				"liked: unknown", "liked: Star Wars: Episode IV - A New Hope (1977)",
				"liked: Laputa: Castle in the Sky (Tenkû no shiro Rapyuta) (1986)", "liked: Wallace & Gromit: The Wrong Trousers (1993)",
				"liked: William Shakespeare's Romeo + Juliet (1996)", "liked: Interview with the Vampire: The Vampire Chronicles (1994)",
				"liked: Star Wars: Episode VI - Return of the Jedi (1983)"}},
		{"alien3.csv", "Title,Rating\nAlien,5\nAlien 3,5\n", Plain, "Title  Rating",
			[]string{"liked: likely Alien", "liked: likely Alien³ (a.k.a. Alien 3)"}},

		// Files that are not tables.
		{"ratings-movies.json", `[{"rated_at":"x","rating":9,"type":"movie","movie":{"title":"Alien","year":1979,"ids":{"trakt":295,` +
			`"slug":"alien-1979","imdb":"tt0078748","tmdb":348}}},{"rating":2,"type":"movie","movie":{"title":"Heat","year":1995,"ids":{` +
			`"tmdb":949}}},{"rating":9,"type":"show","show":{"title":"Lost","year":2004,"ids":{"tmdb":4607}}}]`, Trakt,
			"movie title movie year rating", []string{"liked: " + alien, "disliked: " + heat}},
		{"watchlist.json", `[{"rank":1,"listed_at":"x","type":"movie","movie":{"title":"Alien","year":1979,"ids":{"trakt":295}}}]`, Trakt,
			"movie title movie year ", []string{"wished: " + alien}},
		{"watched-movies.json", `[{"plays":2,"last_watched_at":"x","movie":{"title":"Alien","year":1979,"ids":{"trakt":295}}}]`, Trakt,
			"movie title movie year ", []string{"seen: " + alien}},
		{"collection.json", `[{"collected_at":"x","movie":{"title":"Alien","year":1979,"ids":{"trakt":295}}}]`, Trakt,
			"movie title movie year ", []string{"listed: " + alien}},
		{"jellyfin.json", `{"Items":[{"Name":"Alien","ProductionYear":1979,"CommunityRating":8.1,"ProviderIds":{"Imdb":"tt0078748"},` +
			`"UserData":{"Played":true,"IsFavorite":true}},{"Name":"Heat","ProductionYear":1995,"CommunityRating":8,"UserData":{` +
			`"Played":false,"IsFavorite":false}},{"Name":"Up","ProductionYear":2009,"UserData":{"Played":true,"IsFavorite":false}}]}`, Jellyfin,
			"Name ProductionYear ", []string{"liked: " + alien, "listed: " + heat, "seen: Up (2009)"}},
		{"plex.json", `{"MediaContainer":{"size":2,"Metadata":[{"ratingKey":"1","type":"movie","title":"Alien","rating":9.1,"userRating":` +
			`4,"viewCount":1,"year":1979,"Guid":[{"id":"imdb://tt0078748"},{"id":"tmdb://348"}]},{"ratingKey":"2","title":"Heat","year":1995,` +
			`"audienceRating":9}]}}`, Plex, "title year userRating", []string{"disliked: " + alien, "listed: " + heat}},
		{"plex.xml", `<?xml version="1.0"?><MediaContainer size="2"><Video type="movie" title="Alien" year="1979" userRating="9.0" ` +
			`rating="9.1" viewCount="1"><Guid id="tmdb://348"/></Video><Video title="Tom &amp; Jerry" year="1992" viewCount="0"/>` +
			`</MediaContainer>`, Plex, "title year userRating", []string{"liked: " + alien, "listed: unknown"}},
		{"animelist.xml", `<?xml version="1.0" encoding="UTF-8" ?><!-- by --><myanimelist><myinfo><user_name>x</user_name></myinfo>` +
			`<anime><series_animedb_id>199</series_animedb_id><series_title><![CDATA[Sen to Chihiro no Kamikakushi]]></series_title>` +
			`<series_type>Movie</series_type><my_score>10</my_score><my_status>Completed</my_status></anime><anime><series_title>` +
			`Akira</series_title><my_score>0</my_score><my_status>Plan to Watch</my_status></anime><anime><series_title>Bleach` +
			`</series_title><series_type>TV</series_type><my_score>9</my_score></anime></myanimelist>`, MyAnimeList,
			"series_title  my_score", []string{"liked: unsure", "wished: likely Akira", "liked: a series"}},
		{"votes.xls", `<html><table><tr><td>Title</td><td>Year</td><td>Rating</td></tr><tr><td><b>Alien</b></td><td>1979</td><td>9</td></tr>` +
			`</table></html>`, Plain, "Title Year Rating", []string{"liked: " + alien}},
		{"ratings.csv.gz", gzipped("Title,Year,Rating\nAlien,1979,5\n"), Plain, "Title Year Rating", []string{"liked: " + alien}},
		{"Streaming_History_Audio_2023.json", `[{"ts":"x","ms_played":82932,"master_metadata_track_name":"Ghost","master_metadata_album` +
			`_artist_name":"A"},{"ts":"x","ms_played":1,"master_metadata_track_name":null,"episode_name":"x"}]`, Spotify,
			"master_metadata_track_name  ", []string{"seen: unsure"}},
		{"lines.json", `{"title":"Alien","year":1979,"rating":5}` + "\n" + `{"title":"Heat","year":1995,"rating":1}` + "\n", Plain,
			"title year rating", []string{"liked: " + alien, "disliked: " + heat}},
	}
}

// encoded converts a text to Windows-1251.
func encoded(s string) string {
	out, _ := charmap.Windows1251.NewEncoder().String(s)
	return out
}

// wide converts a text to UTF-16.
func wide(s string) string {
	b := []byte("\xFF\xFE")
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Name = "ratings.csv"
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

// TestReadings reads each file as its user expects.
func TestReadings(t *testing.T) {
	for _, c := range readings() {
		t.Run(c.name, func(t *testing.T) {
			m, _ := matcher(t)
			l, err := Read([]File{{c.name, []byte(c.data)}}, inflate, nil)
			if err != nil {
				t.Fatal(err)
			}
			s := l.Sources[0]
			if got := becomes(t, m, l); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("becomes\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			if got := s.Title + " " + s.Year + " " + s.Rating; got != c.columns || s.Format != c.format || l.Bad != 0 {
				t.Errorf("%v: columns %q of %v, %d bad rows %v, want %q of %v", s.Format, got, s.Format, l.Bad, l.Why, c.columns, c.format)
			}
		})
	}
}

// TestOtherKindsAreNamed: an error names the kind of a file that is not supported.
func TestOtherKindsAreNamed(t *testing.T) {
	for data, want := range map[string]string{
		"%PDF-1.4\n": "(PDF)", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1": "(Excel 97)", "SQLite format 3\x00": "(SQLite)",
		"<html><p>nothing</html>": "(HTML)", "<a></a>": "(XML)", "7z\xBC\xAF\x27\x1C": "(7z)", "{}": "no rows", "[]": "no rows",
		"{": "not supported", "foo,bar\n1,2\n": "no column of titles (foo, bar)",
		string(zipped(t, map[string]string{"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>"})): "(Excel)",
		string(zipped(t, map[string]string{"ratings/ratings-movies.json": "[]"})):                                 "not contain a table",
	} {
		if _, err := Read([]File{{"f", []byte(data)}}, inflate, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", data, err, want)
		}
	}
}

// TestWorkbook reads a sheet with shared, inline and plain texts, empty cells and missing cells.
func TestWorkbook(t *testing.T) {
	book := zipped(t, map[string]string{
		"xl/workbook.xml":      "<workbook/>",
		"xl/sharedStrings.xml": `<sst><si><t>Title</t></si><si><t>Year</t></si><si><r><t>Al</t></r><r><t>ien</t></r></si></sst>`,
		"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" ` +
			`t="inlineStr"><is><t>My Rating</t></is></c></row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><v>1979</v></c><c r="C2"/>` +
			`<c r="D2"><v>9</v></c></row><row r="3"><c r="A3" t="str"><v>Heat</v></c><c r="B3"><v>1995</v></c></row></sheetData></worksheet>`,
		"xl/worksheets/sheet2.xml": "<worksheet/>",
	})
	m, _ := matcher(t)
	l := read(t, File{"ratings.xlsx", book})
	if got := strings.Join(becomes(t, m, l), ", "); got != "liked: "+alien+", seen: "+heat || l.Sources[0].Name != "ratings.xlsx" {
		t.Errorf("%s: %+v", got, l.Sources)
	}
}

// TestZipWithBackslashes: a zip with Windows paths is read like any other.
func TestZipWithBackslashes(t *testing.T) {
	const head = "Date,Name,Year,Letterboxd URI,Rating\n"
	b := packed(t, zipEntry{`letterboxd\ratings.csv`, head + "x,Alien,1979,a,4.5\n", 0},
		zipEntry{`letterboxd\likes\films.csv`, head + "x,Up,2009,a,\n", 0},
		zipEntry{`letterboxd\deleted\ratings.csv`, head + "x,Alien,1979,a,0.5\n", 0})
	m, _ := matcher(t)
	if got := strings.Join(becomes(t, m, read(t, File{"x.zip", b})), ", "); got != "liked: Up (2009), liked: "+alien {
		t.Error(got)
	}
}

// TestColumnsOfRatings: a column without a known name is offered as ratings, and used if the visitor says so.
func TestColumnsOfRatings(t *testing.T) {
	f := File{"x.csv", []byte("Title,Year,Wow,Pages\nAlien,1979,9,300\nHeat,1995,2,12\n")}
	l := read(t, f)
	if s := l.Sources[0]; s.Rating != "" || strings.Join(s.More, ",") != "Wow" {
		t.Errorf("%+v", s)
	}
	l, err := Read([]File{f}, nil, nil, "Wow")
	if err != nil || l.Sources[0].Rating != "Wow" || !l.Entries[0].Rated || l.Entries[1].Rating != 2 {
		t.Errorf("%+v, %v", l, err)
	}
}

// TestSeriesOfACatalogueThatHasSome: series match if the catalogue has series, by a column or by numbers.
func TestSeriesOfACatalogueThatHasSome(t *testing.T) {
	c := shipped(t)
	c.Columns = append(c.Columns[:len(c.Columns):len(c.Columns)], "type")
	for i := range c.Items {
		c.Items[i].Values = append(c.Items[i].Values, map[bool]string{true: "TV Series", false: "movie"}[i%50 == 0])
	}
	m, err := NewMatcher(shelf{c}, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := read(t, File{"x.csv", []byte("Title,Year,Type,Rating\nAlien,1979,show,5\nHeat,1995,episode,5\n")})
	if got := strings.Join(becomes(t, m, l), ", "); got != "liked: "+alien+", liked: a series" {
		t.Error(got)
	}
}

// TestTitlesOfOtherLanguages: titles in the catalogue's columns of translations are found.
func TestTitlesOfOtherLanguages(t *testing.T) {
	c := shipped(t)
	c.Columns = append(c.Columns[:len(c.Columns):len(c.Columns)], "title_de", "titre")
	for i := range c.Items {
		more := []string{"", ""}
		if c.Items[i].Title == "Jaws" {
			more = []string{"Der weiße Hai", "Les Dents de la mer|Jaws"}
		}
		c.Items[i].Values = append(c.Items[i].Values, more...)
	}
	m, err := NewMatcher(shelf{c}, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := read(t, File{"x.csv", []byte("Title,Year,Rating\nDer weisse Hai,1975,5\nLes dents de la mer,1975,5\n")})
	if got := strings.Join(becomes(t, m, l), ", "); got != "liked: unknown, liked: Jaws (1975)" {
		t.Error(got)
	}
}
