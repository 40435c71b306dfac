#!/usr/bin/env bash
# Compares lists of related pages on documentation sites: Debian packages, which it downloads to the folder $1, and the
# books of the installed Rust toolchain, if any. $2 is the program bench/related. With DEV=1 it measures the sites that
# the weights were chosen on, otherwise the others.
set -euo pipefail
mkdir -p "$1"
cd "$1"
if [ "${DEV:-}" = 1 ]; then
  sites='python-flask-doc=html python-celery-doc=html sphinx-doc=html git-doc=.'
  books='book rustc embedded-book rust-by-example'
else
  sites='python-django-doc=html python-scrapy-doc=html python-sqlalchemy-doc=html python-werkzeug-doc=html sqlite3-doc=.
    apache2-doc=manual/en python3-doc=html postgresql-doc=html'
  books='cargo reference'
fi
folders=()
for site in $sites; do
  name=${site%=*}
  if [ ! -d "$name" ]; then
    # python3-doc and postgresql-doc only depend on the package of the current version.
    real=$(apt-cache depends "$name" | sed -n 's/^ *Depends: \(python3\.[0-9]*-doc\|postgresql-doc-[0-9]*\)$/\1/p')
    apt-get download "${real:-$name}"
    dpkg-deb -x "${real:-$name}"_*.deb "$name"
  fi
  folder=$(find "$name/usr/share/doc" -mindepth 2 -path "*/${site#*=}/index.html" -printf '%h\n' | sort | head -1)
  [ "${site#*=}" != . ] || folder=$(find "$name/usr/share/doc" -name index.html -printf '%h\n' | sort | head -1)
  folders+=("$name=$folder")
done
rust=$(rustc --print sysroot 2>/dev/null || true)/share/doc/rust/html
for book in $books; do
  [ ! -d "$rust/$book" ] || folders+=("rust-$book=$rust/$book")
done
"$2" "${folders[@]}"
