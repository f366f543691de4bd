package dev.cairn.djl;

import ai.djl.engine.Engine;
import ai.djl.engine.EngineProvider;

/** The service by which DJL finds Cairn. */
public final class CairnEngineProvider implements EngineProvider {
  @Override
  public String getEngineName() {
    return CairnEngine.NAME;
  }

  @Override
  public int getEngineRank() {
    return CairnEngine.RANK;
  }

  @Override
  public Engine getEngine() {
    return CairnEngine.INSTANCE;
  }
}
