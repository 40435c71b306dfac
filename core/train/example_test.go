package train_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/train"
)

// films returns the ratings of the examples: a part of MovieLens that trains in a moment.
func films() *dataset.Dataset {
	d, err := dataset.Load("../../assets/data/ml-latest-small", dataset.Options{MinUser: 60, MinItem: 20})
	if err != nil {
		log.Fatal(err)
	}
	return d
}

// quick returns settings that train in a moment. With zero Settings, Run would choose them for the data.
func quick() train.Settings {
	s, err := train.Preset("composed")
	if err != nil {
		log.Fatal(err)
	}
	s.Epochs, s.Dim, s.Calibrate = 3, 8, false
	return s
}

// A model of a file of ratings. With zero Settings it has exactly the bytes that this command writes:
//
//	pmlam train --data ratings.csv --out model.msgpack
func Example() {
	d, err := dataset.Load("../../assets/data/ml-latest-small", dataset.Options{MinUser: 60, MinItem: 20})
	if err != nil {
		log.Fatal(err)
	}
	m, report, err := train.Run(context.Background(), d, train.Options{Settings: quick()})
	if err != nil {
		log.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	if err := model.WriteFile(filepath.Join(folder, "model.msgpack"), m); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d items, learned from %d likes in %d epochs\n", m.Items.Len(), report.Trained, report.Epochs)
	// Output: 287 items, learned from 9835 likes in 3 epochs
}

// The model learns from four fifths of the likes and is measured on the rest.
func ExampleRun_measured() {
	d := films()
	_, report, err := train.Run(context.Background(), d, train.Options{
		Settings: quick(), Split: d.Fold(5, 0, 1), NoModel: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	ndcg, _ := report.Quality.At(eval.NDCG, 10)
	fmt.Printf("NDCG@10 of %d people: %.2f\n", report.Quality.Users, ndcg)
	// Output: NDCG@10 of 102 people: 0.32
}

// A long training reports its progress.
func ExampleOptions_events() {
	o := train.Options{Settings: quick(), Events: func(e train.Event) {
		switch e := e.(type) {
		case train.TrainingBegan:
			fmt.Println(e.Training)
		case train.EpochDone:
			fmt.Println("epoch", e.Number)
		case train.LaidOut:
			fmt.Println("the map is drawn")
		}
	}}
	if _, _, err := train.Run(context.Background(), films(), o); err != nil {
		log.Fatal(err)
	}
	// Output:
	// training
	// epoch 1
	// epoch 2
	// epoch 3
	// the map is drawn
}

// A stopped training continues where it stopped, and gives the same model.
func ExampleOpenCheckpoints() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	for range 2 { // like two runs of a program
		c, err := train.OpenCheckpoints(folder, 5*time.Minute, false)
		if err != nil {
			log.Fatal(err)
		}
		_, report, err := train.Run(context.Background(), films(), train.Options{Settings: quick(), Checkpoints: c})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d epochs, %d of them before\n", report.Epochs, report.Resumed)
		c.Close()
	}
	// Output:
	// 3 epochs, 0 of them before
	// 3 epochs, 3 of them before
}
