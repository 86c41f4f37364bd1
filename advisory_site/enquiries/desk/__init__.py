"""The enquiry desk of staff: the list, an enquiry with its thread, who answers, and the clock."""
