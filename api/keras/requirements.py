"""What this package can work with."""

from __future__ import annotations

import keras


def require_keras_3_on_tensorflow() -> None:
    """Require the Keras that this package is for.

    Raises:
        ImportError: it is an older one, or has another backend; the message has the way out.
    """
    if int(keras.__version__.partition(".")[0]) < 3:
        raise ImportError(
            f"bai.keras is for Keras 3, and this is Keras {keras.__version__}: "
            "use `import horovod.keras as hvd`, which works with it"
        )
    if (backend := keras.backend.backend()) != "tensorflow":
        raise ImportError(
            f"bai.keras needs the TensorFlow backend of Keras, and this is {backend}: "
            "set KERAS_BACKEND=tensorflow, or use Horovod with that framework itself"
        )
