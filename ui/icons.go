package ui

// Icons are outlines in a square of 16 by 16, drawn with a stroke.
const (
	iconLike = "M8 13.5C3.5 10.4 1.8 8.3 1.8 5.9a3.2 3.2 0 0 1 6.2-1.1a3.2 3.2 0 0 1 6.2 1.1" +
		"c0 2.4-1.7 4.5-6.2 7.6z"
	iconDislike = "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM3.8 3.8l8.4 8.4"
	iconSeen    = "M1.3 8S3.8 3.6 8 3.6S14.7 8 14.7 8S12.2 12.4 8 12.4S1.3 8 1.3 8zM8 9.9a1.9 1.9 0 1 0 0-3.8" +
		"a1.9 1.9 0 0 0 0 3.8z"
	iconAlike = "M8 12.6c3.9 0 7-2 7-4.6s-3.1-4.6-7-4.6S1 5.4 1 8s3.1 4.6 7 4.6zM8 10.2c1.7 0 3-1 3-2.2" +
		"s-1.3-2.2-3-2.2s-3 1-3 2.2s1.3 2.2 3 2.2z"
	iconOther  = "M3 8h.01M8 8h.01M13 8h.01"
	iconLater  = "M4 2h8v12L8 10.8L4 14z"
	iconSearch = "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7L14 14"
	iconClose  = "M3.5 3.5l9 9M12.5 3.5l-9 9"
	iconPlus   = "M8 2.5v11M2.5 8h11"
	iconMinus  = "M2.5 8h11"
	iconHome   = "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10"
	iconTuning = "M1.5 4.5h7M12.5 4.5h2M10.5 6.5v-4M1.5 11.5h2M7.5 11.5h7M5.5 13.5v-4"
	iconNext   = "M2 3.5h1M2 8h1M2 12.5h1M6 3.5h8M6 8h8M6 12.5h8"
	iconMap    = "M8 13c3.9 0 6.8-2.2 6.8-5S11.9 3 8 3S1.2 5.2 1.2 8S4.1 13 8 13zM8 8h.01"
	iconData   = "M2.5 4c0-1.1 2.5-2 5.5-2s5.5.9 5.5 2s-2.5 2-5.5 2s-5.5-.9-5.5-2zM2.5 4v8c0 1.1 2.5 2 5.5 2" +
		"s5.5-.9 5.5-2V4M2.5 8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2"
	iconAuto  = "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 2v12M8 5h3.5M8 8h5M8 11h3.5"
	iconLight = "M8 11a3 3 0 1 0 0-6a3 3 0 0 0 0 6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9" +
		"L13 13M13 3l-1.1 1.1M4.1 11.9L3 13"
	iconDark = "M13.5 9.7A6 6 0 0 1 6.3 2.5a6 6 0 1 0 7.2 7.2z"
	iconBack = "M13.5 8h-11M6.5 4l-4 4l4 4"
)
