CREATE TABLE `register_job_rows` (
	`id` integer PRIMARY KEY NOT NULL,
	`certificate_seq` integer NOT NULL,
	`certificate_number` text NOT NULL,
	`version` integer NOT NULL,
	`action` text,
	`status` text,
	`reason` text
);
--> statement-breakpoint
CREATE TABLE `register_jobs` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`author_id` text NOT NULL,
	`ip_address` text,
	`request_id` text,
	`reason` text NOT NULL,
	`set` text,
	`target_id` text,
	`total` integer NOT NULL,
	`processed` integer DEFAULT 0 NOT NULL,
	`changed` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`skipped` integer DEFAULT 0 NOT NULL,
	`cursor_added` integer DEFAULT 0 NOT NULL,
	`cursor_change` integer DEFAULT 0 NOT NULL,
	`error` text,
	`cancel_requested` integer DEFAULT false NOT NULL,
	`lease_until` integer,
	`idempotency_key` text,
	`request_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `register_jobs_id_unique` ON `register_jobs` (`id`);--> statement-breakpoint
CREATE INDEX `register_jobs_open` ON `register_jobs` (`lease_until`) WHERE lease_until is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `register_jobs_revert` ON `register_jobs` (`target_id`) WHERE target_id is not null and state in ('queued', 'running', 'done');--> statement-breakpoint
CREATE INDEX `register_jobs_by_target` ON `register_jobs` (`target_id`) WHERE target_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `register_jobs_idempotency` ON `register_jobs` (`author_id`,`idempotency_key`) WHERE idempotency_key is not null;--> statement-breakpoint
ALTER TABLE `uploads` ADD `recorded` integer DEFAULT false NOT NULL;