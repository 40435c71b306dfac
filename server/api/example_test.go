package api_test

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/pmlam/pmlam/server/api"
)

// A model answers over HTTP. The handler fits into any server of net/http.
func ExampleNew() {
	h, err := api.New("../../assets/models/movielens.msgpack", api.Options{})
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	r, err := http.Get(server.URL + "/v1/search?q=terminator&limit=1")
	if err != nil {
		log.Fatal(err)
	}
	defer r.Body.Close()
	var found struct{ Items []struct{ ID, Title string } }
	if err := json.NewDecoder(r.Body).Decode(&found); err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Status, found.Items)
	// Output: 200 OK [{1240 The Terminator}]
}
