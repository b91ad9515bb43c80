/** What operators start: the tasks under /tasks, and who may reach the admin port. */
@NullMarked
package io.hooktally.service.admin;

import org.jspecify.annotations.NullMarked;
