"""What says the same thing, and in which respect? *SEM 2013 STS, CORE and TYPED."""
