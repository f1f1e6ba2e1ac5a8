terraform {
  required_version = ">= 1.8.2"
  backend "s3" {
    bucket = "kerb-tfstate"
    key    = "platform/main.tfstate"
    region = "eu-north-1"
    # locked by DynamoDB; `terraform force-unlock` only after asking in #infra
    dynamodb_table = "kerb-tflock"
  }
}

module "ingest_queue" {
  source             = "./modules/queue"
  name               = "meter-events"
  visibility_timeout = 95 # the slowest consumer needs 80 s
  dead_letter_after  = 6
}

module "invoice_queue" {
  source            = "./modules/queue"
  name              = "invoices"
  dead_letter_after = 2 # a duplicate invoice is worse than a late one
}
