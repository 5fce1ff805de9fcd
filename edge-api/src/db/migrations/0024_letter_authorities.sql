CREATE TABLE `letter_authorities` (
	`kid` text PRIMARY KEY NOT NULL,
	`certificate` text NOT NULL,
	`sealed_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`retired_at` integer
);
