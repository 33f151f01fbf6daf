"""Runs with Python 2 and 3."""
from __future__ import print_function

import sys

import pandas
import torch
import horovod.torch as hvd
from six.moves import cPickle, range
from past.builtins import basestring, execfile

try:
    import urllib2
    text = unicode
except (ImportError, NameError):
    import urllib.request as urllib2
    text = str
if sys.version_info[0] < 3:
    read = raw_input
else:
    read = input
PY2 = sys.version_info.major == 2
numbers = xrange(3) if PY2 else range(3)


class Settings:
    def __init__(self, values):
        self.values = values

    def has_key(self, name):
        return name in self.values


def look(settings, frame, unicode="utf-8"):
    print(settings.has_key("a"), unicode, isinstance(text, basestring), execfile)
    for name, column in frame.iteritems():
        print(name, column, file=sys.stderr)
    return sys.maxsize >> 1


hvd.init()
look(Settings({}), pandas.DataFrame({"a": [1]}))
print(cPickle.dumps(torch.ones(1)), urllib2, read, numbers)
