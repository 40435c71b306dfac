"""Measures what site owners get: three data sets as shops, magazines and clubs have them go through init, train, site and
similar without a flag, and lists of similar items are compared with the clusters that the data were drawn from.

    python3 core/lab/bench/owners/measure.py PMLAM FOLDER [NAME...]

PMLAM is the command, with the page in it (make pmlam). FOLDER takes the data, models and sites; NAMES are shop, mag, spiele.
Exits with 1 where a goal is missed.
"""
import json, os, subprocess, sys, time

GOALS = {'shop': .98, 'mag': .97, 'spiele': .83}
FILES = {'shop': ['orders_export.csv', 'products.csv'], 'mag': ['pageviews.csv', 'articles.csv'],
         'spiele': ['bewertungen.csv', 'katalog.csv']}


def path(address):
    """The path of an address of a page."""
    return '/' + address.split('//', 1)[1].split('/', 1)[1] if '//' in address else address


def clusters(folder, name):
    """The cluster of each item."""
    truth = json.load(open(f'{folder}/truth_{name}.json'))
    if name == 'shop':
        return truth['cluster']
    return {item: values[1 if name == 'mag' else 0] for item, values in truth.items()}


def share(lists, of, bought=None):
    """The share of places whose item is in the cluster of the list's item, and the share of items that nobody bought."""
    places = same = cold = 0
    for item, entries in lists.items():
        for entry in entries[:10]:
            a, b = of.get(path(item)), of.get(path(entry['id']))
            if a is None:
                continue
            places += 1
            same += a == b
            cold += bought is not None and entry['id'] not in bought
    return same / places, cold / places


def main():
    pmlam, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    os.makedirs(folder, exist_ok=True)
    generate = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'generate.py')
    if not os.path.exists(f'{folder}/truth_spiele.json'):
        subprocess.run([sys.executable, generate, folder], check=True)
    missed = False
    for name in sys.argv[3:] or GOALS:
        where = f'{folder}/{name}'

        def run(*args):
            """Runs the command and returns its seconds."""
            begin = time.time()
            subprocess.run([pmlam, *args], cwd=where, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            return time.time() - begin

        init, train, site = run('init', *FILES[name], '--replace'), run('train'), run('site')
        run('similar', '--all', '--out', 'similar.json')
        lists = json.load(open(f'{where}/similar.json'))
        of = clusters(folder, name)
        same, _ = share(lists, of)
        print(f'{name}: {len(lists)} lists, {same:.3f} in the cluster (goal {GOALS[name]}); '
              f'init {init:.1f} s, train {train:.1f} s, site {site:.1f} s')
        missed |= round(same, 3) < GOALS[name]
        for asked in ['1', '0']:  # without a bound, and held to the share of the catalogue
            run('add-items', '--model', 'model.msgpack', '--items', FILES[name][1], '--cold-share', asked, '--out',
                'cold.msgpack')
            run('similar', '--model', 'cold.msgpack', '--project', 'pmlam.toml', '--all', '--out', 'cold.json')
            held = json.load(open(f'{where}/cold.json'))
            same, cold = share(held, of, set(lists))
            print(f'  with {len(held) - len(lists)} items without likes, {1 - len(lists) / len(held):.3f} of the catalogue, '
                  f'cold-share {asked}: they have {cold:.3f} of the places, {same:.3f} are in the cluster')
    sys.exit(missed)


main()
