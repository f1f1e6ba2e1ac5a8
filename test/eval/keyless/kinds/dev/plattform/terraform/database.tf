resource "aws_db_instance" "ledger" {
  identifier              = "ledger"
  engine                  = "postgres"
  engine_version          = "16.4"
  instance_class          = "db.r7g.large"
  allocated_storage       = 340
  backup_retention_period = 21
  backup_window           = "01:40-02:20"
  maintenance_window      = "tue:03:00-tue:03:45"
  deletion_protection     = true

  # Replica in eu-west-1 was removed in March: nobody read from it and it cost 410 EUR a month.
}
