"""Reads variables that the service does not set, in the places where nothing else can happen."""
import argparse
import os
from os import environ, getenv
from pathlib import Path

import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
out = os.environ["AZ_BATCHAI_OUTPUT_MODLE"]
data = Path(getenv("AZ_BATCHAI_INPUT_DATA"))
shared = os.path.join(os.environ.get("AZ_BATCHAI_JOB_MOUNT_ROOTS"), "shared")


def gpus():
    return int(environ["AZ_BATCHAI_NUM_GPU"]) * int(environ["AZ_BATCHAI_NUM_GPUS_PER_NODE"])


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", default=os.environ["AZ_BATCHAI_INPUT_MODEL"])
    parser.add_argument("--retries", type=int, default=int(os.environ["AZ_BATCHAI_RETRIES"]))
    return parser.parse_args()


def main():
    args = arguments()
    words = os.getenv("AZ_BATCHAI_INPUT_WORDS")
    with open(words) as file:
        print(file.read(), args)
    model = tf.keras.applications.ResNet50(weights=None)
    if hvd.rank() == 0:
        model.save_weights(os.environ["AZ_BATCHAI_OUTPUT_MDOEL"] + "/model.h5")
    print(hvd.allreduce(tf.constant(1.0)))


if __name__ == "__main__":
    main()
