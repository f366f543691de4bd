/** The program of {@code docs/howto/spring-boot.md}, in a package of its own: Spring looks for beans in it. */
@NullMarked
package dev.cairn.spring.example;

import org.jspecify.annotations.NullMarked;
