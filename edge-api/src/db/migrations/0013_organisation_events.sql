CREATE TABLE `organisation_deliveries` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`event_seq` integer NOT NULL,
	`endpoint_id` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`lease_until` integer,
	`http_status` integer,
	`duration_ms` integer,
	`error` text,
	`response` text,
	`last_attempt_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`event_seq`) REFERENCES `organisation_events`(`seq`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`endpoint_id`) REFERENCES `organisation_endpoints`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_deliveries_id_unique` ON `organisation_deliveries` (`id`);--> statement-breakpoint
CREATE INDEX `organisation_deliveries_by_event` ON `organisation_deliveries` (`event_seq`,`seq`);--> statement-breakpoint
CREATE INDEX `organisation_deliveries_by_endpoint` ON `organisation_deliveries` (`endpoint_id`,`seq`);--> statement-breakpoint
CREATE INDEX `organisation_deliveries_pending` ON `organisation_deliveries` (`endpoint_id`,`next_attempt_at`) WHERE status = 'pending';--> statement-breakpoint
CREATE TABLE `organisation_endpoints` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organisation_id` text NOT NULL,
	`url` text NOT NULL,
	`description` text,
	`livemode` integer NOT NULL,
	`events` text NOT NULL,
	`state` text NOT NULL,
	`disabled_reason` text,
	`sealed_secret` text,
	`previous_secret` text,
	`previous_until` integer,
	`failing_since` integer,
	`failing_told_at` integer,
	`last_success_at` integer,
	`created_by` text,
	`created_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`organisation_id`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_endpoints_id_unique` ON `organisation_endpoints` (`id`);--> statement-breakpoint
CREATE INDEX `organisation_endpoints_by_organisation` ON `organisation_endpoints` (`organisation_id`,`seq`);--> statement-breakpoint
CREATE INDEX `organisation_endpoints_failing` ON `organisation_endpoints` (`failing_since`) WHERE failing_since is not null and state = 'enabled' and deleted_at is null;--> statement-breakpoint
CREATE TABLE `organisation_events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organisation_id` text NOT NULL,
	`type` text NOT NULL,
	`livemode` integer NOT NULL,
	`body` text NOT NULL,
	`dedupe_key` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organisation_id`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_events_id_unique` ON `organisation_events` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `organisation_events_dedupe_key_unique` ON `organisation_events` (`dedupe_key`);--> statement-breakpoint
CREATE INDEX `organisation_events_by_organisation` ON `organisation_events` (`organisation_id`,`seq`);