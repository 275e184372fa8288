module sextant/agent

go 1.25.0
