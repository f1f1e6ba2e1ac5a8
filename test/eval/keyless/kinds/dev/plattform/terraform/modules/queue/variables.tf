variable "name" {
  type        = string
  description = "Name of the queue, without the environment."
}

variable "visibility_timeout" {
  type        = number
  description = "Seconds for which a received message is hidden from other consumers."
  default     = 30
}

variable "dead_letter_after" {
  type        = number
  description = "Receives after which a message is moved to the dead letter queue."
  default     = 4
}

variable "retention_days" {
  type        = number
  description = "Days that unread messages are kept."
  default     = 9
}
