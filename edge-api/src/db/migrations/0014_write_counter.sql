CREATE TABLE `write_counter` (
	`id` integer PRIMARY KEY NOT NULL,
	`writes` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `write_counter` (`id`, `writes`) VALUES (1, 0);
