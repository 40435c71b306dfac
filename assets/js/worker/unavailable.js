// The page for when no other can be opened. Loaded by service-worker.js.

/** The page that explains the failure, in every language, as index.html does for browsers without scripts. */
const unavailablePage = () =>
  new Response(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Ellipsis</title>
</head>
<body>
<p>This page cannot be opened: there is no connection, and this browser has not kept a copy of the page that it could
open. What you like is kept on your device, untouched. <a href="">Try again</a> once there is a connection.</p>
<p lang="de">Diese Seite lässt sich nicht öffnen: Es gibt keine Verbindung, und dieser Browser hat keine Kopie der Seite
aufgehoben, die er öffnen könnte. Was du magst, ist auf deinem Gerät aufgehoben, unberührt.
<a href="">Versuch es wieder</a>, sobald es eine Verbindung gibt.</p>
</body>
</html>
`,
    {
      status: 503,
      headers: {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy": "default-src 'none'",
        "Cache-Control": "no-store",
      },
    },
  );
