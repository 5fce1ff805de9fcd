CREATE INDEX `certificates_by_course` ON `certificates` (`course`,`withdrawn_at`) WHERE withdrawn_at is null;--> statement-breakpoint
CREATE INDEX `certificates_by_department` ON `certificates` (`department`,`withdrawn_at`) WHERE withdrawn_at is null;--> statement-breakpoint
CREATE INDEX `certificates_by_grade` ON `certificates` (`grade`,`withdrawn_at`) WHERE withdrawn_at is null;--> statement-breakpoint
CREATE INDEX `certificates_by_graduation` ON `certificates` (`graduation_date`) WHERE withdrawn_at is null;--> statement-breakpoint
CREATE INDEX `certificates_by_day` ON `certificates` (`uploaded_at`) WHERE withdrawn_at is null;--> statement-breakpoint
CREATE INDEX `certificates_by_uploader` ON `certificates` (`uploader_email`) WHERE withdrawn_at is null;--> statement-breakpoint
CREATE INDEX `certificates_by_upload` ON `certificates` (`upload_seq`) WHERE upload_seq is not null;--> statement-breakpoint
CREATE INDEX `certificates_by_matric` ON `certificates` (upper(matric_number)) WHERE withdrawn_at is null and matric_number is not null;--> statement-breakpoint
CREATE INDEX `certificates_by_name` ON `certificates` (substr(folded, instr(folded, char(10)) + 1)) WHERE withdrawn_at is null;