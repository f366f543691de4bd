/**
 * Cairn in Spring Boot. {@link dev.cairn.spring.CairnAutoConfiguration} opens the model that the property
 * {@code cairn.model} names as a bean {@link dev.cairn.runtime.session.Session}, with metrics where Micrometer is there
 * and health where Actuator is there. The page is {@code docs/howto/spring-boot.md}.
 */
@NullMarked
package dev.cairn.spring;

import org.jspecify.annotations.NullMarked;
