DROP INDEX `payments_at_gateway`;--> statement-breakpoint
ALTER TABLE `payments` ADD `without_gateway` integer DEFAULT false NOT NULL;--> statement-breakpoint
-- From here on, the store decides which payments are counted (decision 092).
UPDATE `payments` SET `without_gateway` = 1 WHERE `provider` IN ('balance', 'bank');--> statement-breakpoint
CREATE INDEX `payments_at_gateway` ON `payments` (`created_at`) WHERE provider <> 'demo' and amount_minor > 0 and without_gateway = 0;--> statement-breakpoint
DROP TRIGGER `count_payment`;--> statement-breakpoint
CREATE TRIGGER `count_payment` AFTER INSERT ON `payments` WHEN new.`without_gateway` = 0 BEGIN
	INSERT INTO `payment_counters` (`day`, `status`, `total`, `due_minor`, `paid_minor`) VALUES (date(new.`created_at` / 1000, 'unixepoch'), new.`status`, 1, new.`amount_minor`, coalesce(new.`amount_paid_minor`, 0))
	ON CONFLICT (`day`, `status`) DO UPDATE SET `total` = `total` + 1, `due_minor` = `due_minor` + excluded.`due_minor`, `paid_minor` = `paid_minor` + excluded.`paid_minor`;
END;
--> statement-breakpoint
DROP TRIGGER `recount_payment`;--> statement-breakpoint
CREATE TRIGGER `recount_payment` AFTER UPDATE OF `status`, `created_at`, `amount_minor`, `amount_paid_minor` ON `payments` WHEN new.`without_gateway` = 0 AND (old.`status` <> new.`status` OR old.`created_at` <> new.`created_at` OR old.`amount_minor` <> new.`amount_minor` OR old.`amount_paid_minor` is not new.`amount_paid_minor`) BEGIN
	UPDATE `payment_counters` SET `total` = `total` - 1, `due_minor` = `due_minor` - old.`amount_minor`, `paid_minor` = `paid_minor` - coalesce(old.`amount_paid_minor`, 0) WHERE `day` = date(old.`created_at` / 1000, 'unixepoch') AND `status` = old.`status`;
	INSERT INTO `payment_counters` (`day`, `status`, `total`, `due_minor`, `paid_minor`) VALUES (date(new.`created_at` / 1000, 'unixepoch'), new.`status`, 1, new.`amount_minor`, coalesce(new.`amount_paid_minor`, 0))
	ON CONFLICT (`day`, `status`) DO UPDATE SET `total` = `total` + 1, `due_minor` = `due_minor` + excluded.`due_minor`, `paid_minor` = `paid_minor` + excluded.`paid_minor`;
END;
