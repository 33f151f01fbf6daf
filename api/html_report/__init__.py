"""Reports about jobs and sweeps as HTML pages, each of which is one file that needs nothing else.

`contents.py` and `timeline.py` find out what there is to show, `pages.py` puts it together, and
`template.py` makes HTML of it with the templates of this folder.
"""
