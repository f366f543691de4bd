package dev.cairn.spring;

import dev.cairn.runtime.session.SessionOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.core.io.Resource;
import org.springframework.util.unit.DataSize;

/**
 * Properties that begin with {@code cairn}. A property that is left out has its value in {@link
 * SessionOptions#DEFAULT}.
 *
 * @param model where the model is, such as {@code file:/models/model.onnx} or {@code classpath:model.onnx}; without a
 *   model no session is made
 * @param device such as {@code cpu}, {@code cuda:0} or {@code auto}
 * @param threads processor threads of a run
 * @param memoryLimit the most memory that the session takes, such as {@code 512MB}
 * @param maxConcurrentRuns how many runs execute at the same time
 * @param maxPlans how many input shapes the session keeps plans for
 */
@ConfigurationProperties("cairn")
public record CairnProperties(@Nullable Resource model, @Nullable String device, @Nullable Integer threads,
  @Nullable DataSize memoryLimit, @Nullable Integer maxConcurrentRuns, @Nullable Integer maxPlans) {

  /** The options that these properties give. */
  SessionOptions options() {
    SessionOptions options = SessionOptions.DEFAULT;
    options = device == null ? options : options.withDevice(device);
    options = threads == null ? options : options.withThreads(threads);
    options = memoryLimit == null ? options : options.withMemoryLimitBytes(memoryLimit.toBytes());
    options = maxConcurrentRuns == null ? options : options.withMaxConcurrentRuns(maxConcurrentRuns);
    return maxPlans == null ? options : options.withMaxPlans(maxPlans);
  }
}
