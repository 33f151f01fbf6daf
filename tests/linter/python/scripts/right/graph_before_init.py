"""Makes TensorFlow's graph, with Horovod's broadcast in it, before anything runs."""
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

weights = tf.get_variable("weights", [4])
optimizer = hvd.DistributedOptimizer(tf.train.GradientDescentOptimizer(0.1))
train = optimizer.minimize(tf.reduce_sum(weights))
begin = hvd.broadcast_global_variables(0)
hvd.init()
with tf.Session() as session:
    session.run([tf.global_variables_initializer(), begin])
    session.run(train)
