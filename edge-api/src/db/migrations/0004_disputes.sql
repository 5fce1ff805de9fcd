CREATE TABLE `disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`provider` text NOT NULL,
	`provider_dispute_id` text NOT NULL,
	`source` text NOT NULL,
	`state` text NOT NULL,
	`gateway_status` text,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`category` text,
	`reason` text DEFAULT '' NOT NULL,
	`opened_at` integer NOT NULL,
	`due_at` integer,
	`answer` text,
	`answered_by` text,
	`answered_at` integer,
	`acknowledged_at` integer,
	`note` text DEFAULT '' NOT NULL,
	`held_minor` integer DEFAULT 0 NOT NULL,
	`lost_minor` integer DEFAULT 0 NOT NULL,
	`fee_minor` integer DEFAULT 0 NOT NULL,
	`closed_at` integer,
	`half_reminded_at` integer,
	`last_reminded_at` integer,
	`next_at` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`lease_until` integer,
	`version` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "disputes_state" CHECK("disputes"."state" in ('open', 'accepted', 'contested', 'won', 'lost', 'expired')),
	CONSTRAINT "disputes_amount" CHECK("disputes"."amount_minor" > 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `disputes_once` ON `disputes` (`provider`,`provider_dispute_id`);--> statement-breakpoint
CREATE INDEX `disputes_by_payment` ON `disputes` (`payment_id`);--> statement-breakpoint
CREATE INDEX `disputes_by_state` ON `disputes` (`state`,`due_at`);--> statement-breakpoint
CREATE INDEX `disputes_by_time` ON `disputes` (`opened_at`,`id`);--> statement-breakpoint
CREATE INDEX `disputes_due` ON `disputes` (`next_at`) WHERE next_at is not null;--> statement-breakpoint
ALTER TABLE `webhook_inbox` ADD `provider_dispute_id` text;--> statement-breakpoint
ALTER TABLE `webhook_inbox` ADD `dispute_seen_at` integer;--> statement-breakpoint
CREATE INDEX `webhook_inbox_disputes` ON `webhook_inbox` (`received_at`) WHERE provider_dispute_id is not null and dispute_seen_at is null;