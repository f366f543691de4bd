package dev.cairn.runtime.cli.doctor;

/**
 * A variable that should lead to a CUDA toolkit.
 *
 * @param fault why it leads nowhere; empty when it leads to a folder with libraries
 */
public record ToolkitVariable(String name, String value, String fault) {}
