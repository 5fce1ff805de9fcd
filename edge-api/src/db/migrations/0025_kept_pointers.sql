CREATE TABLE `kept_pointers` (
	`id` integer PRIMARY KEY NOT NULL,
	`content` text NOT NULL,
	`at` integer NOT NULL
);
