"""Runs with Python 2 and 3."""
from __future__ import print_function

import sys

import pandas
import torch
import horovod.torch as hvd
from six.moves import cPickle
from past.builtins import basestring, execfile

try:
    import urllib2
    text = unicode
except (ImportError, NameError):
    import urllib.request as urllib2
    text = str
if hasattr(__builtins__, "raw_input"):
    read = raw_input
else:
    read = input


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
print(cPickle.dumps(torch.ones(1)), urllib2, read)
