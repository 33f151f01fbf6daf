"""Fits a line to points in plain Python: a stand-in for your own training."""

import random

try:
    from bai.metrics import report
except ImportError:  # this interpreter has no bai: nothing is reported
    report = dict

EPOCHS = 10

random.seed(0)
points = [(x / 500, 3 * x / 500 + 2 + random.gauss(0, 0.1)) for x in range(500)]
slope = intercept = 0.0
for epoch in range(1, EPOCHS + 1):
    for x, y in random.sample(points, len(points)):
        error = slope * x + intercept - y
        slope -= 0.05 * error * x
        intercept -= 0.05 * error
    loss = sum((slope * x + intercept - y) ** 2 for x, y in points) / len(points)
    print(f"epoch {epoch:2}  loss {loss:.4f}", flush=True)
    report(step=epoch, total=EPOCHS, loss=loss)
print(f"y = {slope:.2f} x + {intercept:.2f}")
