package dev.cairn.runtime.engine.queue;

/** What kind of work an operation is; decides on whose thread it runs, and whether it may be skipped. */
public enum FunctionProperty {
  /** Among operations that are ready, the one that was pushed first runs first. */
  NORMAL,
  /** A copy that leaves a graphics processor; has threads of its own there. */
  COPY_FROM_GPU,
  /** A copy to a graphics processor; has threads of its own there. */
  COPY_TO_GPU,
  /** On processors: the ready operation of the highest priority first. */
  CPU_PRIORITIZED,
  /** On a graphics processor: the ready operation of the highest priority first. */
  GPU_PRIORITIZED,
  /** Only starts something elsewhere, and returns soon: runs on the pusher's thread when it is ready there. */
  ASYNC,
  /** Gives something back: always runs, before whatever else is ready, also after failures and after shutdown. */
  DELETE,
  /** Runs although a value it reads or writes was never computed; what it writes then counts as not computed either. */
  NO_SKIP
}
